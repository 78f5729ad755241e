import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { AccessErrorCode } from "../../errors.ts";
import type { ToolFailure } from "../../tools/tool-failure.ts";

/** What a failure is in the protocol, and what helps. */
interface Kind {
  readonly rpcCode: number;
  readonly cure: string;
}

/** By the protocol of 2025-11-25; the SDK has no name for this code. */
const missing: Kind = { rpcCode: -32002, cure: "resources/list and the tool list_files name what there is." };
const tooMuch: Kind = {
  rpcCode: ErrorCode.InvalidParams,
  cure: "Read the lines that are needed with the tool read_lines.",
};
const failed: Kind = {
  rpcCode: ErrorCode.InternalError,
  cure: "Try it again; should it go on, scouts doctor tells the person what is wrong.",
};
const away: Kind = {
  rpcCode: ErrorCode.InternalError,
  cure: "Ask the person to bring the folder back, or to link the project to where it is now; then read it again.",
};
const refused: Kind = {
  rpcCode: ErrorCode.InvalidParams,
  cure: "Work with other files, or ask the person: on their device they say what may be read.",
};

/** All others are refusals. */
const kinds: Partial<Record<AccessErrorCode, Kind>> = {
  not_found: missing,
  folder_not_found: away,
  not_a_file: missing,
  not_a_directory: missing,
  outside_root: missing,
  invalid_path: missing,
  budget_exceeded: tooMuch,
  too_large: tooMuch,
  busy: failed,
  disk_full: failed,
  storage_failed: failed,
  recovery_needed: failed,
  audit_broken: failed,
  cancelled: failed,
  internal: failed,
};

/** Why a resource is not given, as an error of the protocol. `data`: which, the code, what is wrong (`cause`) and what helps (`cure`). */
export function resourceError(uri: string, { code, message }: Pick<ToolFailure, "code" | "message">): McpError {
  const { rpcCode, cure } = kinds[code] ?? refused;
  return new McpError(rpcCode, message, { uri, code, cause: message, cure });
}
