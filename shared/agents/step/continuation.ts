import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import type { RunId, UserId } from "../../../events/ids.ts";
import type { ObjectKey, Payload } from "../../../events/payload.ts";
import { newObjectKey } from "../../devices/payloads.ts";
import type { Objects } from "../../ports/objects.ts";
import { objectContext } from "../../privacy/object-context.ts";
import type { SessionSealer } from "../../privacy/session-sealer.ts";
import type { Transient } from "../../privacy/transient.ts";
import { type Conversation, conversation } from "../conversation/conversation.ts";
import type { AgentPorts } from "./agent-ports.ts";

/**
 * A continuation in a frame: the device hands it back in one frame of 32 KB (API Gateway quotas), beside its results, and
 * base64 adds a third. What is longer goes as an object.
 */
const inlineBytes = 12 * 1024;

/** A continuation opens for its own session, run and step only. */
function contextOf(run: RunId, step: number): readonly string[] {
  return ["state", run, String(step)];
}

export interface SealedState {
  readonly payload: Payload;
  /** Where it waits, when it is too long for the frame. */
  readonly object?: ObjectKey;
}

/** Seals the conversation after a step. An object is kept until the next step is written down. */
export async function sealState(
  { objects, newId }: Pick<AgentPorts, "objects" | "newId">,
  user: UserId,
  sealer: SessionSealer,
  run: RunId,
  step: number,
  content: Transient<Conversation>,
): Promise<SealedState> {
  const bytes = content.map((value) => new TextEncoder().encode(JSON.stringify(value)));
  const context = contextOf(run, step);
  const inline = sealer.sealBytes(bytes, context);
  if (inline.length <= inlineBytes) return { payload: { inline: Buffer.from(inline).toString("base64url") } };
  const key = newObjectKey(user, sealer.sessionId, newId);
  const sealed = sealer.sealBytes(bytes, [...objectContext(key), ...context]);
  await objects.put(key, sealed);
  return { payload: { upload: { key, bytes: sealed.length } }, object: key };
}

/** The inverse of {@link sealState}. @throws state_invalid when it is of another run, step or session, or altered or gone */
export async function openState(
  objects: Objects,
  sealer: SessionSealer,
  run: RunId,
  step: number,
  state: Payload,
): Promise<Transient<Conversation>> {
  const context = contextOf(run, step);
  return asStateInvalid(async () => {
    if ("inline" in state) return sealer.openText(state.inline, context).map(parse);
    const { key } = state.upload;
    const sealed = await objects.get(key);
    if (!sealed) throw new ScoutsError("state_invalid");
    return sealer
      .openBytes(sealed, [...objectContext(key), ...context])
      .map((bytes) => parse(new TextDecoder().decode(bytes)));
  });
}

/**
 * What can be told of a continuation before anything is queued: one in the frame must open, an object must be the one the
 * run has out. @throws state_invalid
 */
export function checkState(
  sealer: SessionSealer,
  run: RunId,
  step: number,
  state: Payload,
  out: ObjectKey | undefined,
): Promise<void> {
  return asStateInvalid(async () => {
    if ("inline" in state) sealer.openText(state.inline, contextOf(run, step));
    else if (state.upload.key !== out) throw new ScoutsError("state_invalid");
  });
}

function parse(text: string): Conversation {
  return conversation.parse(JSON.parse(text));
}

async function asStateInvalid<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    if (!isScoutsError(cause, "sealed_unreadable")) throw cause;
    throw new ScoutsError("state_invalid", { cause });
  }
}
