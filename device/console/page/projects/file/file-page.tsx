import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import "./file.css";
import { ApiError } from "../../app/api.ts";
import { Said } from "../../app/said.tsx";
import { dateText, line, sizeText } from "../../app/shown-text.ts";
import { EditFile } from "../../edit/edit-file.tsx";
import { fileViews } from "../../routes/addresses.ts";
import { Empty, Failed, Loading } from "../../states/states.tsx";
import type { ShownFile } from "../files/file-rows-query.ts";
import { FilePreview } from "./file-preview.tsx";
import { History } from "./history.tsx";
import { ModelView } from "./model-view.tsx";
import { type NamedFile, useFile } from "./queries.ts";

const route = getRouteApi("/projects/$id/files/$file");

/** One file: as a person may see it, as a model is given it, and what became of it. */
export function FilePage() {
  const { t } = useTranslation();
  const { id, file: number } = route.useParams();
  const { view: asked = "content" } = route.useSearch();
  const named = { id, number };
  const found = useFile(named);
  const isGone = found.error instanceof ApiError && [400, 404].includes(found.error.status);
  const view = fileViews.find((each) => each === asked) ?? "content";
  return (
    <div className="page file">
      <p>
        <Link to="/projects/$id/files" params={{ id }}>
          {t("projects.allFiles")}
        </Link>
      </p>
      {found.isPending && <Loading />}
      {isGone && <Empty title={t("projects.fileGone")} hint={t("projects.fileGoneHint")} />}
      {found.isError && !isGone && <Failed error={found.error} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && !isGone && (
        <>
          <Head file={found.data.file} />
          <nav className="tabs" aria-label={t("projects.views")}>
            {fileViews
              .filter((each) => each !== "edit" || found.data.file.kind === "text")
              .map((each) => (
                <Link
                  key={each}
                  to="/projects/$id/files/$file"
                  params={{ id, file: number }}
                  search={each === "content" ? {} : { view: each }}
                  activeOptions={{ includeSearch: true, exact: true }}
                  replace
                >
                  {t(`projects.view.${each}`)}
                </Link>
              ))}
          </nav>
          <View key={number} view={view} named={named} path={found.data.file.path} />
        </>
      )}
    </div>
  );
}

interface ViewProps {
  readonly view: (typeof fileViews)[number];
  readonly named: NamedFile;
  readonly path: string;
}

function View({ view, named, path }: ViewProps) {
  switch (view) {
    case "model":
      return <ModelView named={named} />;
    case "history":
      return <History named={named} />;
    case "edit":
      return <EditFile project={named.id} path={path} />;
    case "content":
      return <FilePreview named={named} name={line(path)} />;
  }
}

function Head({ file }: { readonly file: ShownFile }) {
  const { t, i18n } = useTranslation();
  const { path, kind, tag, sizeBytes, mtimeMs, summary, state, reason, onDisk } = file;
  const mark = onDisk === "current" ? state : onDisk;
  return (
    <div className="file-head">
      <h2 dir="auto">{line(path)}</h2>
      <p className="about">
        <span>{t(`projects.kind.${kind}`)}</span>
        {tag !== null && <span>{t(`projects.tag.${tag}`)}</span>}
        <span>{sizeText(sizeBytes, i18n.language)}</span>
        <span>{dateText(mtimeMs, i18n.language)}</span>
        <span className={`mark-${mark}`}>{t(`projects.fileState.${mark}`)}</span>
        {reason !== null && <Said what={reason} />}
      </p>
      {summary !== null && (
        <p className="file-summary" dir="auto">
          {line(summary)}
        </p>
      )}
    </div>
  );
}
