import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { isScoutsError } from "../../../../events/errors.ts";
import { isDeviceError } from "../../../errors.ts";
import { isAccessError } from "../../errors.ts";

/**
 * Why no folder is served, or nothing of it told, as an error of the protocol that has its code; what nobody foresaw passes as it
 * is.
 */
export function openingError(error: unknown): unknown {
  if (!isAccessError(error) && !isDeviceError(error) && !isScoutsError(error)) return error;
  const { code, message } = error;
  return new McpError(ErrorCode.InternalError, message, { code, cause: message });
}
