import { escapedName } from "../../shared/privacy/delimiters.ts";
import type { AccessErrorCode } from "../access/errors.ts";
import type { ToolFailure } from "../access/tools/tool-failure.ts";
import { type ActionResult, failed } from "./action-result.ts";

const denied: readonly AccessErrorCode[] = ["denied", "approval_refused", "outside_root", "invalid_path"];
const missing: readonly AccessErrorCode[] = ["not_found", "not_a_directory"];
const unreadable: readonly AccessErrorCode[] = ["binary_file", "not_a_file", "no_permission", "too_large"];

/** A refusal of the file layer in the words of the action. What lies outside the folder is not told apart from what is denied. */
export function refusalOf({ code, message }: ToolFailure, path: string): ActionResult {
  if (denied.includes(code)) return failed("access_denied", "Access denied");
  if (missing.includes(code)) return failed("file_not_found", `File not found: ${escapedName(path)}`);
  if (code === "invalid_arguments" || code === "pattern_refused") return failed("invalid_arguments", message);
  if (code === "folder_not_found") return failed(code, message);
  if (unreadable.includes(code)) return failed("unreadable", message);
  return failed(code === "internal" ? "internal" : "refused", message);
}
