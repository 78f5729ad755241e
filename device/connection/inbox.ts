import * as z from "zod";
import { type ServerFrame, serverFrame } from "../../events/frames/frames.ts";
import { socketLimits } from "../../events/frames/limits.ts";

/** Frames applied in one transaction, at most: long enough to spare disk syncs, short enough to keep the loop free. */
const maxBatchFrames = 200;

/** Proposals that share a frame, whatever each of them is. */
const sharedFrame = z.object({
  type: z.literal("scout_proposals"),
  proposals: z.array(z.unknown()).min(1).max(socketLimits.pageSize),
});

/**
 * Reads what came at once; `undefined` stands for what is not a frame this version knows. Proposals that share a frame are what they
 * are alone: one of a newer cloud that is not understood keeps nobody from the others.
 */
export function framesIn(text: string): (ServerFrame | undefined)[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // No JSON is no frame.
    return [undefined];
  }
  const shared = sharedFrame.safeParse(value);
  if (!shared.success) return [serverFrame.safeParse(value).data];
  return shared.data.proposals.map((proposal) => serverFrame.safeParse({ type: "scout_proposal", proposal }).data);
}

/**
 * What API Gateway itself sends when it has no answer to a frame: its function failed ("Internal server error"), took longer than
 * 29 seconds ("Endpoint request timed out"), or was not asked, since too much is asked at once. It does not say which frame it was
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-routes-integrations.html).
 */
const gatewayFailure = z.object({ message: z.string(), connectionId: z.string(), requestId: z.string() });

/** Whether a message is the gateway's own word that something failed, and no frame of the protocol. */
export function isGatewayFailure(text: string): boolean {
  try {
    return gatewayFailure.safeParse(JSON.parse(text)).success;
  } catch {
    // No JSON is none of the gateway's either.
    return false;
  }
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
