import type { ErrorCode } from "../../events/error-kinds.ts";
import type { DeviceErrorCode } from "../errors.ts";

/** A home or an issuer that does not answer now, and another program that is at it. */
const passing: ReadonlySet<DeviceErrorCode | ErrorCode> = new Set([
  "ticket_unavailable",
  "issuer_unusable",
  "store_busy",
] as const);

/** Whether what keeps a device from its home may be over the next time, though nobody does anything about it. */
export const mayPass = ({ code }: { readonly code: DeviceErrorCode | ErrorCode }): boolean => passing.has(code);
