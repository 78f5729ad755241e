import * as z from "zod";
import { ScoutsError } from "../../../events/errors.ts";
import { agentServerFrames } from "../../../events/frames/agents.ts";
import type { ObjectKey } from "../../../events/payload.ts";
import { agentMessage } from "../../../events/queues.ts";
import { newObjectKey } from "../../devices/payloads.ts";
import type { Objects } from "../../ports/objects.ts";
import { objectContext } from "../../privacy/object-context.ts";
import type { SessionSealer } from "../../privacy/session-sealer.ts";
import type { Transient } from "../../privacy/transient.ts";
import type { RunId } from "../run/run-row.ts";
import type { AgentPorts } from "./agent-ports.ts";

const [toolCalls, , runComplete] = agentServerFrames;

/** What a committed step leads to: a frame for the device, or the next step when there is nothing to ask the device. */
const outgoing = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("frame"), frame: z.discriminatedUnion("type", [toolCalls, runComplete]) }),
  z.object({ kind: z.literal("step"), message: agentMessage }),
]);
export type Sendable = z.infer<typeof outgoing>;
export type RunComplete = z.infer<typeof runComplete>;

const contextOf = (run: RunId["runId"], key: ObjectKey): readonly string[] => [...objectContext(key), "outbox", run];

/**
 * Keeps what a step has to say, sealed, before the step is written down: a worker that dies in between, or a device that
 * is gone for a while, costs neither a second model call nor the answer.
 */
export async function keepOutgoing(
  { objects, newId }: Pick<AgentPorts, "objects" | "newId">,
  { userId, runId }: RunId,
  sealer: SessionSealer,
  content: Transient<Sendable>,
): Promise<ObjectKey> {
  const key = newObjectKey(userId, sealer.sessionId, newId);
  const bytes = content.map((value) => new TextEncoder().encode(JSON.stringify(value)));
  await objects.put(key, sealer.sealBytes(bytes, contextOf(runId, key)));
  return key;
}

/** @throws upload_missing, sealed_unreadable */
export async function readOutgoing(
  objects: Objects,
  { runId }: RunId,
  sealer: SessionSealer,
  key: ObjectKey,
): Promise<Transient<Sendable>> {
  const sealed = await objects.get(key);
  if (!sealed) throw new ScoutsError("upload_missing");
  return sealer
    .openBytes(sealed, contextOf(runId, key))
    .map((bytes) => outgoing.parse(JSON.parse(new TextDecoder().decode(bytes))));
}
