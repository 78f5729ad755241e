import type { ErrorCode } from "../../events/error-kinds.ts";
import type { RunStatus } from "../../events/frames/agents.ts";
import type { ClientFrame, ServerFrame } from "../../events/frames/frames.ts";
import { callId } from "../../events/ids.ts";
import { oneSession } from "../device/content/setting.ts";
import type { CloudConnection } from "../device/fake-cloud.ts";
import type { ConsoleHome } from "./console-home.ts";

/** What the cloud says next: calls of a step, or an answer in pieces; `undefined` among them has it fall silent. */
export type Scene =
  | { readonly calls: readonly (readonly [action: string, data: Record<string, unknown>])[] }
  | { readonly says: readonly (string | undefined)[] }
  | { readonly ends: { readonly status: RunStatus; readonly code?: ErrorCode } }
  | { readonly refuses: ErrorCode };

type Asked = Extract<ClientFrame, { type: "agent_run" }>;

export interface AskedCloud {
  /** What it says to the next question. */
  script(scenes: readonly Scene[]): void;
  questions(): readonly Asked[];
  cancelled(): number;
}

/** A cloud that answers questions as it is told to. */
export function askedCloud(home: ConsoleHome, scenes: readonly Scene[]): AskedCloud {
  const { cloud } = home;
  oneSession(cloud);
  let left = [...scenes];
  let step = -1;
  const before = cloud.onFrame;
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "agent_run" && frame.type !== "tool_results" && frame.type !== "agent_cancel") {
      return before(frame, connection);
    }
    const scene = frame.type === "agent_cancel" ? { ends: { status: "cancelled" as const } } : left.shift();
    if (scene !== undefined && "refuses" in scene) {
      connection.send({ type: "error", inReplyTo: frame.id, code: scene.refuses, message: "" });
      return "handled";
    }
    connection.send({ type: "accepted", inReplyTo: frame.id });
    if (scene !== undefined) say(scene, frame, connection);
    return "handled";
  };

  const say = (
    scene: Exclude<Scene, { refuses: ErrorCode }>,
    { runId }: { runId: Asked["runId"] },
    to: CloudConnection,
  ) => {
    step += 1;
    if ("calls" in scene) {
      const calls = scene.calls.map(([action, data], at) => ({
        callId: callId.parse(`cal_01JD000000000000000000000${at}`),
        action,
        data,
      }));
      return to.send({ type: "tool_calls", runId, step, calls, state: { inline: "c2VhbGVk" } });
    }
    const end = { tokensUsed: 120, toolCalls: 0, prompt: "agent-home/1" };
    if ("ends" in scene) return to.send({ type: "run_complete", runId, text: "", ...end, ...scene.ends });
    for (const [seq, text] of scene.says.entries()) {
      if (text === undefined) return;
      to.send({ type: "run_delta", runId, step, seq, text });
    }
    const text = scene.says.join("").slice(0, 50_000);
    to.send({ type: "run_complete", runId, status: "completed", text, ...end } satisfies ServerFrame);
  };

  return {
    script(next) {
      left = [...next];
    },
    questions: () => cloud.framesOf("agent_run"),
    cancelled: () => cloud.framesOf("agent_cancel").length,
  };
}
