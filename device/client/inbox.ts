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
