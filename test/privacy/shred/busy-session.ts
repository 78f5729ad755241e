import { createHash } from "node:crypto";
import { ulid } from "ulidx";
import { sessionId } from "../../../events/ids.ts";
import type { Payload } from "../../../events/payload.ts";
import { SessionSealer } from "../../../shared/privacy/session-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { Message, ModelOutput } from "../../e2e/agents/tool-model.ts";
import { judgeBySubject } from "../../e2e/mail.ts";
import type { ModelReply } from "../../e2e/scripted-model.ts";
import type { ContentScripts } from "../content-model.ts";
import { connectRaw, frameId, type RawDevice, type Reachable } from "../raw-device.ts";
import type { Canaries } from "../scan/canary.ts";
import { upload } from "../upload.ts";
import type { Gate } from "./gate.ts";

/** Content that must be at rest, sealed, while such a session lives: without it nothing would be shown by its absence. */
export const sealedContent = [
  "summary of a file",
  "name of a waiting file",
  "text of a waiting file",
  "name of an uploaded file",
  "text of an uploaded file",
  "tool result",
  "path in a tool call",
  "answer",
  "waiting question",
] as const;

/** Too long for a frame to carry a conversation that holds it: its continuation is kept as an object. */
const longText = "and so on ".repeat(1_300);

/** The model's part: what says `script=wait` is held at the gate, and answered when it opens. */
export function busyScripts(canaries: Canaries, gate: Gate): ContentScripts {
  const held = async (text: string) => {
    if (text.includes("script=wait")) await gate.pass();
  };
  return {
    async reply(prompt): Promise<ModelReply> {
      if (!prompt.startsWith("Kind: ")) return judgeBySubject(prompt);
      await held(prompt);
      return { content: JSON.stringify({ summary: `About ${canaries.plant("summary of a file")}.`, tag: "doc" }) };
    },
    async say(messages): Promise<ModelOutput> {
      const said = JSON.stringify(messages);
      await held(said);
      if (!said.includes("script=call")) return { text: `It is ${canaries.plant("answer")}.` };
      return { calls: [callIn(messages, canaries)] };
    },
  };
}

function callIn(messages: readonly Message[], canaries: Canaries): readonly [string, object] {
  const project_id = /prj_\w{26}/.exec(JSON.stringify(messages))?.[0];
  return ["read_project_folder_file", { project_id, relative_path: `${canaries.plant("path in a tool call")}.md` }];
}

export interface BusySession {
  readonly device: RawDevice;
  readonly sessionId: string;
}

/** Says hello as a device does. */
export async function greeted(
  to: Reachable,
  deviceId?: string,
): Promise<BusySession & { readonly sealer: SessionSealer }> {
  const device = await connectRaw(to, {}, deviceId);
  device.send({ type: "hello", id: frameId(), protocol: 1, deviceId: device.deviceId });
  const ready = await device.next("session_ready");
  const id = sessionId.parse(ready["sessionId"]);
  return { device, sessionId: id, sealer: new SessionSealer(id, new Transient(String(ready["sessionKey"]))) };
}

/**
 * A session in the middle of everything: files that are summarised and files that wait for the model, one of them uploaded;
 * a run that waits for its device, one that has ended, one that waits for the model.
 */
export async function busySession(to: Reachable, canaries: Canaries, gate: Gate): Promise<BusySession> {
  const { device, sealer, sessionId: id } = await greeted(to);
  const index = `idx_${ulid()}`;
  const projectId = `prj_${ulid()}`;
  const say = async (frame: object) => {
    device.send({ id: frameId(), ...frame });
    await device.next("accepted");
  };
  const file = (name: string, text: string, content: Payload) => ({
    relPath: `${name}.md`,
    kind: "text",
    content,
    contentHash: createHash("sha256").update(text).digest("hex"),
    sizeBytes: text.length,
    mtimeMs: 0,
  });
  const inFrame = (what: string, more = "") => {
    const text = `# ${canaries.plant(`text of ${what}`)}\n\n${more}\n`;
    return file(canaries.plant(`name of ${what}`), text, { inline: text });
  };
  const uploaded = async (what: string, more = "") => {
    const text = `# ${canaries.plant(`text of ${what}`)}\n\n${more}\n`;
    return file(canaries.plant(`name of ${what}`), text, await upload(to, device.deviceId, sealer, text));
  };

  await say({ type: "index_session_start", sessionId: index, projectId, totalFiles: 4 });
  const done = [inFrame("a file"), await uploaded("a file")];
  await say({ type: "index_file_batch", sessionId: index, files: done });
  for (const _ of done) await device.next("index_file_result");
  const waiting = [inFrame("a waiting file", "script=wait"), await uploaded("an uploaded file", "script=wait")];
  await say({ type: "index_file_batch", sessionId: index, files: waiting });

  const ask = (script: string, more: object = {}) => {
    const message = { inline: `script=${script} ${projectId} ${canaries.plant(`${script}ing question`)}` };
    return say({ type: "agent_run", runId: `run_${ulid()}`, agent: "home", message, ...more });
  };
  await ask("call", { projectId });
  const asked = await device.next("tool_calls");
  const result = { inline: `${canaries.plant("tool result")} ${longText}` };
  const [call] = Array.isArray(asked["calls"]) ? asked["calls"] : [];
  const results = [{ callId: call?.callId, result }];
  await say({ type: "tool_results", runId: asked["runId"], step: asked["step"], results, state: asked["state"] });
  await device.next("tool_calls");
  await ask("answer");
  await device.next("run_complete");
  await ask("wait");
  await gate.reached(waiting.length + 1);
  return { device, sessionId: id };
}
