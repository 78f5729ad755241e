import * as z from "zod";
import { type ServerFrame, serverFrame } from "../../events/frames.ts";

/** Frames applied in one transaction, at most: long enough to spare disk syncs, short enough to keep the loop free. */
const maxBatchFrames = 200;

/** Reads a frame; `undefined` when it is not one this version knows. */
export function parseFrame(text: string): ServerFrame | undefined {
  try {
    const parsed = serverFrame.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What API Gateway itself sends when the function behind a frame failed. It does not say which frame it was
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-routes-integrations.html).
 */
const gatewayFailure = z.object({ message: z.literal("Internal server error"), requestId: z.string() });

export function isGatewayFailure(text: string): boolean {
  try {
    return gatewayFailure.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** Collects what one turn of the event loop brings, so that a page costs one transaction and not fifty. */
export function createInbox(apply: (frames: ServerFrame[]) => void) {
  let waiting: ServerFrame[] = [];
  let scheduled: NodeJS.Immediate | undefined;

  const turn = () => {
    scheduled = undefined;
    const batch = waiting.splice(0, maxBatchFrames);
    if (waiting.length > 0) scheduled = setImmediate(turn);
    if (batch.length > 0) apply(batch);
  };

  return {
    push(frame: ServerFrame): void {
      waiting.push(frame);
      scheduled ??= setImmediate(turn);
    },
    /** Forgets what has not been applied: nothing of it was acked, so the cloud sends it again. */
    discard(): void {
      clearImmediate(scheduled);
      scheduled = undefined;
      waiting = [];
    },
  };
}
