import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AccessErrorCode } from "../../access/errors.ts";
import type { FileRefusal } from "../../projects/file-refusal.ts";
import type { Told } from "../told.ts";

/** Refusals of files that a tab meets: each has words in every language of the page. */
export const fileStatuses = {
  denied: 403,
  approval_refused: 403,
  outside_root: 403,
  no_permission: 403,
  read_only: 403,
  not_found: 404,
  folder_not_found: 409,
  not_a_file: 409,
  not_a_directory: 409,
  binary_file: 409,
  too_large: 409,
  unencodable: 409,
  conflict: 409,
  already_exists: 409,
  invalid_path: 400,
  placeholder: 409,
  redaction_sentinel: 409,
  version_unknown: 404,
  version_pruned: 409,
  patch_empty: 409,
  budget_exceeded: 409,
  write_failed: 503,
  disk_full: 507,
  recovery_needed: 503,
  busy: 503,
  storage_failed: 503,
} as const satisfies Partial<Record<AccessErrorCode, ContentfulStatusCode>>;
type FileCode = keyof typeof fileStatuses;

const isFileCode = (code: AccessErrorCode): code is FileCode => Object.hasOwn(fileStatuses, code);

/** The codes of files and of the device are two lists: here the former begin with this. */
const prefix = "file_";

/** What a tab is told of a refusal; undefined for one that nobody expected. */
export function toldRefusal({ code, message }: FileRefusal): { status: ContentfulStatusCode; told: Told } | undefined {
  return isFileCode(code) ? { status: fileStatuses[code], told: { code: `${prefix}${code}`, message } } : undefined;
}
