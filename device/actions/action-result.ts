import type { ProjectId, ProposalId } from "../../events/ids.ts";

/** What the device answers to one call: text for the model, and a code when the call came to nothing. */
export interface ActionResult {
  readonly text: string;
  readonly error?: ActionErrorCode;
  /** Files whose content is in the text. */
  readonly filesRead?: readonly ProjectFile[];
  /** Proposals whose content is in the text. */
  readonly proposalsRead?: readonly ProposalId[];
  /** What of the text stands in files, and where. It stays on the device. */
  readonly parts?: readonly FilePart[];
  /** All of what the text is a part of, to be kept on the device. */
  readonly whole?: WholeText;
}

/** A file of a project's folder. */
export interface ProjectFile {
  readonly projectId: ProjectId;
  readonly path: string;
}

/** A place in one. */
export interface FilePlace extends ProjectFile {
  /** 1-based; of a document, in its text. */
  readonly line: number;
}

/** Lines of a file, as they were shown. */
export interface FilePart extends FilePlace {
  readonly text: string;
}

export interface WholeText {
  readonly text: string;
  /** The file it is the content of: its name tells its type. */
  readonly name?: string;
  /** Its shape says more than its beginning: shown are figures and a preview. */
  readonly isData?: boolean;
}

export type ActionErrorCode =
  | "action_unknown"
  | "invalid_arguments"
  | "folder_not_linked"
  | "folder_not_found"
  | "access_denied"
  | "file_not_found"
  | "suggestion_unknown"
  | "unreadable"
  | "refused"
  | "internal";

/** An action that came to nothing. @param text for the model: what was wrong, without anything it may not see */
export const failed = (error: ActionErrorCode, text: string): ActionResult => ({ error, text });
