/** What the device answers to one call: text for the model, and a code when the call came to nothing. */
export interface ActionResult {
  readonly text: string;
  readonly error?: ActionErrorCode;
  /** Files whose content is in the text. */
  readonly filesRead?: readonly string[];
}

export type ActionErrorCode =
  | "action_unknown"
  | "invalid_arguments"
  | "folder_not_linked"
  | "folder_not_found"
  | "access_denied"
  | "file_not_found"
  | "unreadable"
  | "refused"
  | "internal";

export const failed = (error: ActionErrorCode, text: string): ActionResult => ({ error, text });
