import type { ProjectId } from "../../events/ids.ts";
import { type MergedPart, mergedParts } from "../access/edits/three-way-merge.ts";
import type { FileAccess, ToolOutcome } from "../access/file-access.ts";
import type { AccessSession } from "../access/session/session.ts";
import { nameOf } from "../files/paths/project-path.ts";
import { kindOfName } from "../folders/scanner/kinds.ts";
import { FileRefusal } from "./file-refusal.ts";
import type { OpenedFolders } from "./opened-folders.ts";

/** More is not edited in a browser: it is laid out anew with each key. */
export const mostEditedChars = 1_000_000;
const pageChars = 200_000;
/** Somebody who keeps writing while it is read wins after so many tries. */
const maxAttempts = 3;

/** A file of a project that a person edits. A path is content: it is in a body and in no address. */
export interface EditedFile {
  readonly project: ProjectId;
  readonly path: string;
  /** Whether the person says yes to what the folder's rules ask about. */
  readonly approves: boolean;
}

/** A text as an editor has it: with line feeds alone, which give way to the file's own line ends when it is saved. */
export interface EditableText {
  readonly text: string;
  /** What the content is called; whoever saves says it again. */
  readonly hash: string;
  /** Credentials that a mark stands for; a line that is given back with its mark keeps its own. */
  readonly redactions: number;
}

const withLineFeeds = (text: string) => text.replace(/\r\n?/g, "\n");

/**
 * A whole text, to be edited.
 *
 * @throws FileRefusal `binary_file` (what is not text, a document too), `too_large`, and as the gate; DeviceError as `OpenedFolders.within`
 */
export function textToEdit(folders: OpenedFolders, { project, path, approves }: EditedFile): Promise<EditableText> {
  if ((kindOfName(nameOf(path)) ?? "text") !== "text") return Promise.reject(new FileRefusal("binary_file"));
  return folders.asEditor(project, approves, (access, session) => wholeText(access, session, path));
}

async function wholeText(access: FileAccess, session: AccessSession, path: string, attempt = 1): Promise<EditableText> {
  let [text, hash, redactions] = ["", "", 0];
  for (let at: number | undefined = 0; at !== undefined; ) {
    const args: object = { path, startChar: at, maxChars: pageChars, full: true };
    const read: ToolOutcome<"read_file"> = await access.call(session, "read_file", args);
    if (!read.ok) throw new FileRefusal(read.error.code, read.error.message);
    const { result } = read;
    if (result.totalChars > mostEditedChars) throw new FileRefusal("too_large");
    if (hash !== "" && result.hash !== hash) {
      if (attempt === maxAttempts) throw new FileRefusal("conflict");
      return wholeText(access, session, path, attempt + 1);
    }
    text += result.text;
    hash = result.hash;
    redactions = result.redactions;
    at = result.nextChar;
  }
  return { text: withLineFeeds(text), hash, redactions };
}

export interface SavedText {
  readonly hash: string;
  /** Null: the file was so already, say because this was sent before and its answer was lost. */
  readonly versionId: string | null;
}

/**
 * Saves a text over the content that it was made from, or as a new file (`baseHash` null).
 *
 * @throws FileRefusal `conflict` (the file is another by now, or gone), `already_exists`, `redaction_sentinel`, and as the gate
 */
export function saveText(
  folders: OpenedFolders,
  { project, path, approves }: EditedFile,
  text: string,
  baseHash: string | null,
): Promise<SavedText> {
  return folders.asEditor(project, approves, async (access, session) => {
    const base = baseHash === null ? { mode: "create" } : { baseHash };
    const outcome = await access.call(session, "write_file", { path, content: text, ...base });
    if (outcome.ok) return { hash: outcome.result.files[0]?.hash ?? "", versionId: outcome.result.versionId };
    const { code, message, currentHash } = outcome.error;
    const isThere = code === "patch_empty" || code === "already_applied";
    if (isThere && typeof currentHash === "string") return { hash: currentHash, versionId: null };
    throw new FileRefusal(code, message);
  });
}

/** How a text that is edited goes together with what its file has become. */
export interface Merging {
  /** Of the file as it is; null: it is there no more, and saving makes it anew. */
  readonly hash: string | null;
  readonly parts: readonly MergedPart[];
}

/** @param base what `mine` was made from @throws FileRefusal as {@link textToEdit}, but for a file that is gone */
export async function mergeText(
  folders: OpenedFolders,
  file: EditedFile,
  { base, mine }: { readonly base: string; readonly mine: string },
): Promise<Merging> {
  try {
    const { text, hash } = await textToEdit(folders, file);
    return { hash, parts: mergedParts(base, mine, text) };
  } catch (error) {
    if (!(error instanceof FileRefusal) || error.code !== "not_found") throw error;
    return { hash: null, parts: [{ from: "mine", base: "", mine, theirs: "" }] };
  }
}
