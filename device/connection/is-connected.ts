import { socketLimits } from "../../events/frames/limits.ts";
import type { Identity } from "../store/schema.ts";

/**
 * A process that was killed cannot say that it is gone: after two pings without a sign it counts as gone, and so it
 * does whose last sign is of a time that is yet to come: its clock has stepped back since.
 */
const connectedForMs = 2 * socketLimits.pingEveryMs + 60_000;

/** Whether a device is connected, as its database says it to every process. @param nowMs milliseconds since the epoch */
export const isConnected = ({ readyAt, seenAt }: Pick<Identity, "readyAt" | "seenAt">, nowMs: number): boolean =>
  readyAt !== null && seenAt !== null && Math.abs(nowMs - seenAt) < connectedForMs;
