import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ExportRequest, ImportRequest } from "../../work/contract.ts";
import { answerOf, api } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { base64Of } from "../edit/base64.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { useWorkChange } from "./queries.ts";

/** Has the browser keep a file that the device has made. */
function keep({ name, type, bytes }: { readonly name: string; readonly type: string; readonly bytes: string }): void {
  const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

interface ExportProps {
  readonly label: string;
  readonly request: ExportRequest;
}

/** Gives work as a file. */
export function ExportButton({ label, request }: ExportProps) {
  const give = useMutation({
    mutationFn: () => answerOf(api.work.export.$post({ json: request })),
    gcTime: 0,
    onSuccess: keep,
  });
  return (
    <>
      <Button isDisabled={give.isPending} onPress={() => give.mutate()}>
        {label}
      </Button>
      <Problem error={give.error} />
    </>
  );
}

interface ImportProps {
  readonly label: string;
  /** What kinds of files the browser offers. */
  readonly accept: string;
  /** @param bytes of the file, in base64 */
  readonly requestOf: (bytes: string, name: string) => ImportRequest;
}

/** Takes work out of a file. */
export function ImportButton({ label, accept, requestOf }: ImportProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const take = useWorkChange([label], async (file: File) =>
    answerOf(api.work.import.$post({ json: requestOf(base64Of(new Uint8Array(await file.arrayBuffer())), file.name) })),
  );
  const { data } = take;
  return (
    <>
      <Button isDisabled={take.isPending} onPress={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) take.mutate(file);
          target.value = "";
        }}
      />
      <Problem error={take.error} />
      <div role="status" className="work-taken">
        {data !== undefined && (
          <>
            <p>
              {t("work.taken", { added: data.added, changed: data.changed, unchanged: data.unchanged + data.outdated })}
            </p>
            {data.untaken.map(({ title, why }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what could not be taken has its place and no other name
              <p key={at}>
                {t("work.untaken")} <bdi>{line(title)}</bdi>: <bdi lang="en">{line(why)}</bdi>
              </p>
            ))}
            {data.partlyKnown.shown.map(({ id, title, gap }) => (
              <p key={id}>
                {t("series.partly")} <bdi>{line(title)}</bdi>. {t(`series.gap.${gap}`)}
              </p>
            ))}
            {data.partlyKnown.more > 0 && <p>{t("series.more", { count: data.partlyKnown.more })}</p>}
            {data.moreUntaken > 0 && <p>{t("work.moreUntaken", { count: data.moreUntaken })}</p>}
          </>
        )}
      </div>
    </>
  );
}
