import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Said } from "../../app/said.tsx";
import { Button } from "../../form/button.tsx";
import { Empty, Loading } from "../../states/states.tsx";
import { Bitmap } from "./bitmap.tsx";
import { FileText } from "./file-text.tsx";
import { type NamedFile, type Preview, usePreview } from "./queries.ts";
import { Refused } from "./refused.tsx";

/** What the end of a long text is shown by. */
const lastCharacters = 20_000;

interface PreviewProps {
  readonly named: NamedFile;
  /** What a picture is called by who cannot see it. */
  readonly name: string;
}

/** A file as text, or as the points of a picture. Nothing of it is run, loaded, or drawn by rules of its own. */
export function FilePreview({ named, name }: PreviewProps) {
  const [approves, setApproves] = useState(false);
  // Where each page begins that one came through.
  const [path, setPath] = useState<readonly number[]>([0]);
  const found = usePreview(named, { startChar: path.at(-1) ?? 0, approves });
  if (found.isPending) return <Loading />;
  if (found.isError)
    return <Refused error={found.error} onRetry={() => void found.refetch()} onApprove={() => setApproves(true)} />;
  const { preview } = found.data;
  const next = preview.form === "text" ? preview.nextChar : null;
  const last = preview.form === "text" ? Math.max(0, preview.totalChars - lastCharacters) : 0;
  return (
    <>
      <Redacted preview={preview} />
      <Shown preview={preview} name={name} />
      {(path.length > 1 || next !== null) && (
        <Pages
          preview={preview}
          {...(path.length > 1 && { onFirst: () => setPath([0]), onBack: () => setPath(path.slice(0, -1)) })}
          {...(next !== null && { onNext: () => setPath([...path, next]), onLast: () => setPath([...path, last]) })}
        />
      )}
    </>
  );
}

function Redacted({ preview }: { readonly preview: Preview }) {
  const { t } = useTranslation();
  const count = "redactions" in preview ? preview.redactions : 0;
  return count === 0 ? null : <p className="hint">{t("projects.redacted", { count })}</p>;
}

function Shown({ preview, name }: { readonly preview: Preview; readonly name: string }) {
  const { t } = useTranslation();
  switch (preview.form) {
    case "text":
      return <FileText text={preview.text} label={name} />;
    case "document":
      return (
        <>
          <p className="hint">{t("projects.extracted")}</p>
          <FileText text={preview.text} label={name} />
        </>
      );
    case "bitmap":
      return <Bitmap base64={preview.base64} width={preview.width} height={preview.height} name={name} />;
    case "none":
      return (
        <Empty title={t("projects.noPreview")} hint={preview.reason === null ? "" : <Said what={preview.reason} />} />
      );
  }
}

interface PagesProps {
  readonly preview: Preview;
  readonly onFirst?: () => void;
  readonly onBack?: () => void;
  readonly onNext?: () => void;
  readonly onLast?: () => void;
}

function Pages({ preview, onFirst, onBack, onNext, onLast }: PagesProps) {
  const { t, i18n } = useTranslation();
  const figure = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  return (
    <div className="buttons">
      <Button isDisabled={onFirst === undefined} onPress={() => onFirst?.()}>
        {t("projects.pageFirst")}
      </Button>
      <Button isDisabled={onBack === undefined} onPress={() => onBack?.()}>
        {t("projects.pageBack")}
      </Button>
      <Button isDisabled={onNext === undefined} onPress={() => onNext?.()}>
        {t("projects.pageNext")}
      </Button>
      <Button isDisabled={onLast === undefined} onPress={() => onLast?.()}>
        {t("projects.pageLast")}
      </Button>
      {preview.form === "text" && (
        <p className="hint" role="status">
          {t("projects.fromLine", { line: figure(preview.startLine), total: figure(preview.totalLines) })}
        </p>
      )}
    </div>
  );
}
