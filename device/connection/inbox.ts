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
    // No JSON is no frame.
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
    // No JSON is none of the gateway's either.
    return false;
  }
}

/** Proposals that share a frame are what they are alone. */
export function singly(frame: ServerFrame): ServerFrame[] {
  if (frame.type !== "scout_proposals") return [frame];
  return frame.proposals.map((proposal) => ({ type: "scout_proposal", proposal }));
}

/** Neighbours of one type, in order: a page of proposals costs one insert. */
export function runsOf(frames: readonly ServerFrame[]): ServerFrame[][] {
  const runs: ServerFrame[][] = [];
  for (const frame of frames) {
    const last = runs.at(-1);
    if (last?.[0]?.type === frame.type) last.push(frame);
    else runs.push([frame]);
  }
  return runs;
}

/** Collects what one turn of the event loop brings, so that a page costs one transaction and not fifty. */
export class Inbox {
  readonly #apply: (frames: readonly ServerFrame[]) => void;
  #waiting: ServerFrame[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  constructor(apply: (frames: readonly ServerFrame[]) => void) {
    this.#apply = apply;
  }

  push(frame: ServerFrame): void {
    this.#waiting.push(frame);
    this.#scheduled ??= setImmediate(() => this.#turn());
  }

  /** Forgets what has not been applied: nothing of it was acked, so the cloud sends it again. */
  discard(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    this.#waiting = [];
  }

  #turn(): void {
    const batch = this.#waiting.splice(0, maxBatchFrames);
    this.#scheduled = this.#waiting.length > 0 ? setImmediate(() => this.#turn()) : undefined;
    this.#apply(batch);
  }
}
