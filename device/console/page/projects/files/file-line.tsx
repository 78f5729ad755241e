import type { TFunction } from "i18next";
import { type MouseEvent, memo } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Said } from "../../app/said.tsx";
import { agoText, line, sizeText } from "../../app/shown-text.ts";
import type { FileRow, ShownFile } from "./file-rows-query.ts";

type Folder = Extract<FileRow, { readonly type: "folder" }>;

interface FileLineProps {
  readonly id: string;
  readonly file: ShownFile;
  readonly onOpen: (file: ShownFile) => void;
  /** Given, and not asked for by each row: thirty rows come at once. */
  readonly t: TFunction;
  readonly language: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Below its folders: its name alone says which it is. */
  readonly isInTree: boolean;
}

/** A file in a list: what it is called, its kind, size, age, how it stands and what it is about. */
export const FileLine = memo(function FileLine({ id, file, isInTree, onOpen, t, language, nowMs }: FileLineProps) {
  const { number, path, kind, tag, sizeBytes, mtimeMs, summary, state, reason, onDisk } = file;
  const shown = isInTree ? path.slice(path.lastIndexOf("/") + 1) : path;
  const mark = onDisk === "current" ? state : onDisk;
  const about = summary === null ? "" : line(summary);
  return (
    <div className="file-line">
      {/* The router's own link looks at the whole address for each: of thirty rows at once, most of a frame. */}
      <a
        href={`/projects/${id}/files/${number}`}
        className="file-name"
        dir="auto"
        onClick={(event) => isPlain(event) && onOpen(file)}
      >
        {line(shown)}
      </a>
      <span className="file-fact">{sizeText(sizeBytes, language)}</span>
      <span className="file-fact">{agoText(mtimeMs, nowMs, language)}</span>
      <p className="file-about">
        {mark !== "current" && <span className={`file-mark mark-${mark}`}>{t(`projects.fileState.${mark}`)}</span>}
        {reason !== null && <Said what={reason} />}
        <span>{t(`projects.kind.${kind}`)}</span>
        {tag !== null && <span>{t(`projects.tag.${tag}`)}</span>}
        {about !== "" && <bdi className="file-summary-line">{about}</bdi>}
      </p>
    </div>
  );
});

/** A click that is meant for this tab; others are the browser's. @returns false for those */
function isPlain(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  event.preventDefault();
  return true;
}

/** A folder in a tree: opened and closed by its button, or by the arrows as trees are. */
export function FolderLine({ folder, onPress }: { readonly folder: Folder; readonly onPress: () => void }) {
  const { t } = useTranslation();
  const { name, files, isOpen } = folder;
  return (
    <div className="file-line">
      <Button
        className="folder-name"
        aria-expanded={isOpen}
        onPress={onPress}
        onKeyDown={({ key }) => {
          if ((key === "ArrowRight" && !isOpen) || (key === "ArrowLeft" && isOpen)) onPress();
        }}
      >
        <span aria-hidden="true" className={isOpen ? "folder-mark open" : "folder-mark"} />
        <bdi>{line(name)}</bdi>
      </Button>
      <p className="file-about">{t("folder.files", { count: files })}</p>
    </div>
  );
}
