import type { ProjectId } from "../../events/ids.ts";
import { unlessHidden } from "../actions/opened-projects.ts";
import { readProjectFile } from "../actions/read-project-file.ts";
import { nameOf } from "../files/paths/project-path.ts";
import type { Extraction } from "../folders/extraction/extraction.ts";
import { Extractor } from "../folders/extraction/extractor.ts";
import { kindOfName } from "../folders/scanner/kinds.ts";
import { maxBytesOf } from "../folders/scanner/limits.ts";
import type { DeviceStore } from "../store/open.ts";
import { FileRefusal } from "./file-refusal.ts";
import type { OpenedFolders } from "./opened-folders.ts";

/** Characters of a text shown at once: a browser lays them out in a moment. */
const pageCharacters = 50_000;
/** Tokens of a document that are taken out of it. */
const documentTokens = 12_000;
/** Enough to see what is on a picture. */
const maxImageSidePixels = 1_280;

export interface PreviewParts {
  readonly store: DeviceStore;
  readonly folders: OpenedFolders;
}

/** A file of a manifest, by its number there. */
export interface NamedFile {
  readonly project: ProjectId;
  readonly number: number;
}

/** A file as a person is shown it: text, or the points of a picture. Nothing of it is run, loaded or drawn by its own rules. */
export type FilePreview =
  | {
      readonly form: "text";
      readonly text: string;
      /** Where the page begins and the next one does, in UTF-16 units of all there are; null at the end. */
      readonly startChar: number;
      readonly nextChar: number | null;
      readonly totalChars: number;
      /** Of the first line shown, from 1. */
      readonly startLine: number;
      readonly totalLines: number;
      /** Credentials that were taken out. */
      readonly redactions: number;
    }
  /** The text of a document: all of it, or its beginning, outline and end. */
  | { readonly form: "document"; readonly text: string; readonly redactions: number }
  | { readonly form: "bitmap"; readonly base64: string; readonly width: number; readonly height: number }
  /** Nothing could be made of it: the code says why. */
  | { readonly form: "none"; readonly reason: string };

/** The path of a file of a manifest. @throws FileRefusal `not_found` */
export function pathOf(store: DeviceStore, { project, number }: NamedFile): string {
  const row = store.listedFiles.byNumber(project, number);
  if (row === undefined) throw new FileRefusal("not_found");
  return row.relativePath;
}

/**
 * A file as the person may see it: credentials are taken out, what the rules withhold stays withheld, what they ask about is
 * shown when the person says so. A text of any size comes in pages.
 *
 * @param from.startChar of a text, where the page begins
 * @throws FileRefusal; DeviceError as `OpenedFolders.asPerson`
 */
export function previewFile(
  { store, folders }: PreviewParts,
  file: NamedFile,
  { startChar, approves }: { readonly startChar: number; readonly approves: boolean },
): Promise<FilePreview> {
  const path = pathOf(store, file);
  const kind = kindOfName(nameOf(path)) ?? "text";
  return folders.asPerson(file.project, approves, async ({ project, session, run }) => {
    if (kind === "text") {
      const read = await run("read_file", { path, startChar, maxChars: pageCharacters, full: true });
      const { text, totalChars, startLine, totalLines, redactions, nextChar = null } = read;
      return { form: "text", text, startChar, nextChar, totalChars, startLine, totalLines, redactions };
    }
    const found = await project.access.readBytes(session, path, maxBytesOf(kind));
    if (!found.ok) throw new FileRefusal(found.error.code, found.error.message);
    const job = { kind, bytes: found.bytes, maxContentTokens: documentTokens };
    return drawn(await extracted((extractor) => extractor.extract(job)));
  });
}

function drawn(extraction: Extraction): FilePreview {
  if (extraction.outcome === "failed") return { form: "none", reason: extraction.reason };
  if (extraction.outcome === "image") {
    const { base64, width, height } = extraction.image;
    return { form: "bitmap", base64, width, height };
  }
  const { text, redactions } = extraction;
  return { form: "document", text, redactions };
}

/**
 * A file word for word as an agent's `read_project_folder_file` would give it to a model, refusals among them.
 *
 * @throws FileRefusal `not_found` for a number nobody has; DeviceError as `OpenedFolders.asAgent`
 */
export async function modelView({ store, folders }: PreviewParts, file: NamedFile): Promise<{ readonly text: string }> {
  const path = pathOf(store, file);
  const summaryOf = (of: string) => store.folderFiles.find(file.project, of)?.summary ?? null;
  const { text } = await folders.asAgent(file.project, (opened) =>
    unlessHidden(opened, "read_file", path, () =>
      extracted((extractor) => {
        const extract = (job: Parameters<Extractor["extract"]>[0]) => extractor.extract(job);
        return readProjectFile(opened, path, { extract, summaryOf, keepsWhole: false });
      }),
    ),
  );
  return { text };
}

/** Works with a reader of documents that ends with the work: its thread holds what it allocated. */
async function extracted<R>(work: (extractor: Extractor) => Promise<R>): Promise<R> {
  const extractor = new Extractor({ limits: { maxImageSidePixels } });
  try {
    return await work(extractor);
  } finally {
    await extractor.close();
  }
}
