import type { ProjectFiles } from "../../files/project-files.ts";
import { Extractor } from "../extraction/extractor.ts";
import { contentOf, prepareFile } from "../extraction/prepare-file.ts";
import type { FileToSummarize } from "../scanner/scan-project.ts";
import type { FileToSend } from "./file-to-send.ts";

/** What a file turned out to hold: something to tell about, nothing that can be read, or not what was scanned. */
export type Preparation =
  | {
      readonly outcome: "ready";
      readonly file: FileToSend;
      /** Of its summary, by the tokenizer; instructions and answer included. */
      readonly tokens?: number;
    }
  | { readonly outcome: "skipped"; readonly reason: string }
  | { readonly outcome: "changed" };

/** Makes files ready to be sent, and keeps what that needs until it is closed. */
export interface Preparer {
  /** @throws ProjectFilesError Cancelled; NotFound or StorageFailed when the folder cannot be reached any more */
  prepare(file: FileToSummarize, signal: AbortSignal | undefined): Promise<Preparation>;
  close(): Promise<void>;
}
/** @param now milliseconds since the epoch */
export type OpenPreparer = (files: ProjectFiles, now: () => number) => Preparer;

export const openPreparer: OpenPreparer = (files, now) => {
  const extractor = new Extractor();
  return {
    async prepare(scanned, signal) {
      const prepared = await prepareFile(scanned, { files, extractor, signal, now });
      if (prepared.outcome !== "ready") return prepared;
      const { relPath, kind, sizeBytes, mtimeMs, contentHash, estimatedTokens: tokens } = prepared.file;
      const content = contentOf(prepared.file);
      return { outcome: "ready", file: { relPath, kind, sizeBytes, mtimeMs, contentHash, content }, tokens };
    },
    close: () => extractor.close(),
  };
};
