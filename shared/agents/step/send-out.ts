import type { ObjectKey } from "../../../events/payload.ts";
import { postToSession } from "../../devices/session-post.ts";
import { Transient } from "../../privacy/transient.ts";
import { completeFrame } from "../run/complete-frame.ts";
import { type RunRow, tokensOf } from "../run/run-row.ts";
import type { AgentPorts, Step } from "./agent-ports.ts";
import { readOutgoing, type Sendable } from "./outbox.ts";

/** Sends what a committed step leads to. A device that is gone misses a frame; it is posted again when the device asks. */
export async function sendOut(
  { ports, body }: Pick<Step, "ports" | "body">,
  content: Transient<Sendable>,
): Promise<void> {
  const sendable = content.reveal();
  if (sendable.kind === "step") {
    await ports.agent.send([{ body: sendable.message, group: body.userId }]);
    return;
  }
  if ((await postToSession(ports.post, body, [sendable.frame])) === "gone") {
    ports.log.event("run_suspended", { runId: body.runId, step: body.step });
  }
}

/** Sends again what the run's last step had to say, unless the device has answered it already. */
export async function sendAgain(step: Pick<Step, "ports" | "body" | "session">, row: RunRow): Promise<void> {
  const { ports, body, session } = step;
  const { status, outbox } = row;
  if (outbox !== undefined) {
    const answered = status === "running" && row.answers.has(row.step - 1);
    if (!answered) await sendOut(step, await readOutgoing(ports.objects, body, session.sealer, outbox));
  } else if (status !== "running") {
    // Its end could not be kept, and had no answer: see end-run.ts.
    await sendOut(step, new Transient(completeFrame({ ...row, status, tokens: tokensOf(row) }, "")));
  }
}

/** Objects that nobody reads any more. What is not deleted goes with the session. */
export async function discard({ objects, log }: AgentPorts, keys: readonly (ObjectKey | undefined)[]): Promise<void> {
  const known = keys.flatMap((key) => key ?? []);
  try {
    if (known.length > 0) await objects.delete(known);
  } catch (error) {
    log.error("objects_not_deleted", error, { count: known.length });
  }
}
