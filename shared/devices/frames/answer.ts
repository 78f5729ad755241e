import { ScoutsError } from "../../../events/errors.ts";
import { type ClientFrame, clientFrame, type ServerFrame } from "../../../events/frames/frames.ts";
import { type FrameId, frameId } from "../../../events/ids.ts";
import { asScoutsError } from "../../outcome/outcome.ts";
import type { Session } from "../session-store.ts";
import { categorized } from "./categorized.ts";
import { checked } from "./check.ts";
import { acknowledged, reopened, resolved } from "./decisions.ts";
import type { DevicePorts, From } from "./device-ports.ts";
import { greet } from "./greet.ts";
import { hello } from "./hello.ts";
import { itemRequested } from "./item-request.ts";
import { itemsRequested } from "./items-request.ts";
import { cutOff, errorFrame } from "./refusal.ts";

/** Charged where they are handled, and only for what changed nothing. */
const chargedLater: ReadonlySet<ClientFrame["type"]> = new Set([
  "scout_proposal_ack",
  "scout_proposals_ack",
  "scout_proposal_resolved",
]);

/**
 * Answers one frame of a device. Whatever cannot be understood or done is answered by an `error` frame with a code and
 * changes nothing; a frame that was not `accepted` may be sent again. A connection whose person sends too much is told
 * so and closed.
 */
export async function answerFrame(ports: DevicePorts, from: From, text: string): Promise<void> {
  const raw = parseJson(text);
  const inReplyTo = idOf(raw);
  try {
    const frame = clientFrame.safeParse(raw);
    if (!frame.success) {
      await ports.limit.charge(from.userId, "invalid");
      throw new ScoutsError(isKnownType(raw) ? "invalid_frame" : "unknown_frame");
    }
    if (!chargedLater.has(frame.data.type)) {
      await ports.limit.charge(from.userId, frame.data.type, countOf(frame.data));
    }
    const answer = await dispatch(ports, from, frame.data);
    if (answer) await post(ports, from, answer);
    if (frame.data.type === "hello") await greet(ports, from);
  } catch (error) {
    const { code, data } = asScoutsError(error);
    ports.log.error("frame_refused", error, { refusal: code, ...data });
    await post(ports, from, errorFrame(code, data, inReplyTo));
    if (code === "rate_limited") await cutOff(ports, from);
  }
}

/** Frames that one stands for. */
const countOf = (frame: ClientFrame): number => (frame.type === "scout_items_request" ? frame.proposalIds.length : 1);

async function dispatch(ports: DevicePorts, from: From, frame: ClientFrame): Promise<ServerFrame | undefined> {
  switch (frame.type) {
    case "hello":
      return hello(ports, from, frame);
    case "ping":
      return { type: "pong", inReplyTo: frame.id };
    case "bye":
      await ports.connections.remove(from.userId, from.connectionId);
      await ports.sessions.end(from.userId, from.deviceId, ports.clock());
      return { type: "accepted", inReplyTo: frame.id };
    case "proposals_pull":
      await greeted(ports, from);
      return { type: "proposals_page", inReplyTo: frame.id, ...(await ports.delivery.pull(from, frame)) };
    case "scout_proposal_ack":
    case "scout_proposals_ack":
      return acknowledged(ports, from, frame);
    case "scout_proposal_resolved":
      return resolved(ports, from, frame);
    case "scout_proposal_reopen":
      return reopened(ports, from, frame);
    case "proposals_check":
      return checked(ports, from, frame);
    case "scout_item_request":
      await greeted(ports, from);
      await itemRequested(ports, from, frame);
      return undefined;
    case "scout_items_request":
      await greeted(ports, from);
      await itemsRequested(ports, from, frame);
      return undefined;
    case "index_session_start":
    case "index_file_batch":
    case "index_session_cancel":
    case "index_session_finish":
      return ports.folders.answer(from, await sessionOf(ports, from), frame);
    case "categorize_result":
      return categorized(ports, from, frame);
    case "agent_run":
    case "agent_cancel":
    case "tool_results":
      return ports.runs.answer(from, await sessionOf(ports, from), frame);
  }
}

/**
 * What is of content goes to connections that have said hello only: before it the device has no session, and a connection
 * that was cut off has none any more. @throws session_unknown
 */
async function greeted({ connections, clock }: DevicePorts, { userId, connectionId }: From): Promise<void> {
  if (!(await connections.has(userId, connectionId, clock()))) throw new ScoutsError("session_unknown");
}

function sessionOf(ports: DevicePorts, { userId, deviceId }: From): Promise<Session> {
  return ports.sessions.current(userId, deviceId, ports.clock());
}

async function post(ports: DevicePorts, from: From, frame: ServerFrame): Promise<void> {
  if ((await ports.sockets.post(from.connectionId, frame)) === "gone") {
    await ports.connections.remove(from.userId, from.connectionId);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is no frame: its sender is told so.
    return undefined;
  }
}

function idOf(raw: unknown): FrameId | undefined {
  const id = typeof raw === "object" && raw !== null && "id" in raw ? frameId.safeParse(raw.id) : undefined;
  return id?.success ? id.data : undefined;
}

function isKnownType(raw: unknown): boolean {
  if (typeof raw !== "object" || raw === null || !("type" in raw)) return false;
  return clientFrame.options.some((option) => option.shape.type.value === raw.type);
}
