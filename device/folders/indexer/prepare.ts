import type { ProjectId } from "../../../events/ids.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { IndexedText } from "../../knowledge/text/indexed-text.ts";
import type { Shape } from "../../knowledge/text/passages.ts";
import type { DeviceStore } from "../../store/open.ts";
import { Extractor } from "../extraction/extractor.ts";
import { contentOf, prepareFile } from "../extraction/prepare-file.ts";
import type { FileToSummarize } from "../scanner/scan-project.ts";
import type { FileToSend } from "./file-to-send.ts";

/** What a file turned out to hold: something to tell about, nothing that can be read, or not what was scanned. */
export type Preparation =
  | {
      readonly outcome: "ready";
      readonly file: FileToSend;
      /** Of its summary, by the tokenizer; instructions and answer included. Null where nobody has counted. */
      readonly tokens: number | null;
      /** The file has more text than was read of it. */
      readonly isPart?: boolean;
      /** Its whole text, when it was asked for. */
      readonly indexed?: IndexedText;
    }
  | { readonly outcome: "skipped"; readonly reason: string }
  | { readonly outcome: "changed" };

export interface Wanted {
  /** The text is wanted for the index as well, cut so. */
  readonly shape?: Shape;
  /** Nothing will be sent: only the index wants it. */
  readonly forIndexOnly?: boolean;
}

/** Makes files ready to be sent, and keeps what that needs until it is closed. */
export interface Preparer {
  /** @throws ProjectFilesError Cancelled; NotFound or StorageFailed when the folder cannot be reached any more */
  prepare(file: FileToSummarize, signal: AbortSignal | undefined, wanted?: Wanted): Promise<Preparation>;
  close(): Promise<void>;
}
/** Files read at the same time: taking out credentials is most of the work. */
const threads = 2;

/** @param now milliseconds since the epoch */
export type OpenPreparer = (files: ProjectFiles, now: () => number) => Preparer;

export const openPreparer: OpenPreparer = (files, now) => {
  const extractor = new Extractor({ threads });
  return {
    async prepare(scanned, signal, { shape, forIndexOnly = false } = {}) {
      const maxContentTokens = forIndexOnly ? 0 : extractor.limits.maxContentTokens;
      const prepared = await prepareFile(scanned, { files, extractor, signal, now, shape, maxContentTokens });
      if (prepared.outcome !== "ready") return prepared;
      const { relPath, kind, sizeBytes, mtimeMs, contentHash, tokens } = prepared.file;
      const content = contentOf(prepared.file);
      const file = { relPath, kind, sizeBytes, mtimeMs, contentHash, content };
      const indexed = "indexed" in prepared.file ? prepared.file.indexed : undefined;
      const isPart = "isPart" in prepared.file && prepared.file.isPart === true;
      return { outcome: "ready", file, tokens, ...(isPart && { isPart }), ...(indexed && { indexed }) };
    },
    close: () => extractor.close(),
  };
};

/** A preparer that notes in the manifest which files were read in part only. */
export function notingParts(preparer: Preparer, store: DeviceStore, projectId: ProjectId): Preparer {
  return {
    async prepare(file, signal, wanted) {
      const prepared = await preparer.prepare(file, signal, wanted);
      if (prepared.outcome === "ready")
        store.folderFiles.setReadInPart(projectId, file.relPath, file.contentHash, prepared.isPart === true);
      return prepared;
    },
    close: () => preparer.close(),
  };
}
