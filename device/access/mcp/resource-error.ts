import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { AccessErrorCode } from "../errors.ts";
import type { ToolFailure } from "../tools/tool-failure.ts";

/** `resources/read` of what is not there, by the protocol of 2025-11-25; the SDK has no name for it. */
const resourceNotFound = -32002;

const missing: readonly AccessErrorCode[] = [
  ...(["not_found", "not_a_file", "not_a_directory", "outside_root", "invalid_path"] as const),
];
const failed: readonly AccessErrorCode[] = [
  ...(["internal", "storage_failed", "busy", "recovery_needed", "write_failed", "audit_broken", "cancelled"] as const),
];

/** Why a resource is not given, as an error of the protocol. `data`: which, the code, what is wrong (`cause`) and what helps (`cure`). */
export function resourceError(uri: string, { code, message }: Pick<ToolFailure, "code" | "message">): McpError {
  const [rpcCode, cure] = missing.includes(code)
    ? [resourceNotFound, "resources/list and the tool list_files name what there is."]
    : failed.includes(code)
      ? [ErrorCode.InternalError, "Try it again; should it go on, scouts doctor tells the person what is wrong."]
      : [
          ErrorCode.InvalidParams,
          "Work with other files, or ask the person: on their device they say what may be read.",
        ];
  return new McpError(rpcCode, message, { uri, code, cause: message, cure });
}
