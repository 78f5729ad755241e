import { joinProposalId } from "../../events/ids.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { answerFrame } from "../../shared/devices/frames/answer.ts";
import { ada, bob, inbox, item, laptop, phone, ref, relevant } from "../unit/scouts/setting.ts";
import { badFrames } from "./bad-frames.ts";
import { type From, MemoryCloud } from "./cloud.ts";

export interface FuzzProof {
  readonly frames: number;
  readonly ms: number;
  /** Frames of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Answers by code; `pong` for pings. */
  readonly answers: Readonly<Record<string, number>>;
  /** Frames after which a table was another, or that were not answered once, to their sender, without a part of the frame. */
  readonly broken: readonly { kind: string; why: string; text: string }[];
}

const proposals = 5;
const from: From = { userId: ada, deviceId: laptop, connectionId: "c1" };
/** As long a piece of a frame is not in an answer by chance: its fixed sentences have no such words. */
const quoteCharacters = 24;

/** Sends bad frames to the frame handler and looks at both tables after each. */
export async function fuzzFrames(frames: number, seed: number): Promise<FuzzProof> {
  // Nothing is charged: that frames cost their sender something is another test's, and would end this one.
  const cloud = new MemoryCloud(() => 1);
  for (let number = 0; number < proposals; number += 1) {
    await cloud.items.judge(item(`m${number}`, bob), relevant, cloud.nowMs);
    await cloud.items.judge(item(`own${number}`), relevant, cloud.nowMs);
  }
  await cloud.connections.add(ada, "c1", laptop, cloud.nowMs);
  await cloud.connections.add(ada, "c2", phone, cloud.nowMs);
  await cloud.connections.add(bob, "theirs", phone, cloud.nowMs);
  const others = Array.from({ length: proposals }, (_, number) => joinProposalId(inbox, ref(`m${number}`)));
  const tables = () => JSON.stringify([cloud.ledger.dump(), cloud.sessions.dump()]);
  const before = tables();
  const kinds: Record<string, number> = {};
  const answers: Record<string, number> = {};
  const broken: { kind: string; why: string; text: string }[] = [];
  const generator = badFrames(seededRandom(seed), others);
  const startMs = performance.now();
  for (let sent = 0; sent < frames; sent += 1) {
    const { kind, text } = generator.next().value;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    const fail = (why: string) => broken.push({ kind, why, text: text.slice(0, 200) });
    await answerFrame(cloud.ports, from, text).catch((error: unknown) => fail(`threw ${error}`));
    const [posted, ...more] = cloud.posted.splice(0);
    if (!posted || more.length > 0) fail(`${more.length + Number(posted !== undefined)} answers`);
    else if (posted.to !== "c1") fail(`answered to ${posted.to}`);
    else if (posted.frame.type === "error") answers[posted.frame.code] = (answers[posted.frame.code] ?? 0) + 1;
    else if (posted.frame.type === "pong") answers["pong"] = (answers["pong"] ?? 0) + 1;
    else fail(`answered by ${posted.frame.type}`);
    if (posted?.frame.type === "error" && quotes(posted.frame.message, text)) fail("the answer quotes the frame");
    if (tables() !== before) fail("a table changed");
  }
  const polluted = Object.keys(Object.prototype).length > 0 || "polluted" in {};
  if (polluted) broken.push({ kind: "polluting", why: "Object.prototype was changed", text: "" });
  return { frames, ms: performance.now() - startMs, kinds, answers, broken };
}

function quotes(message: string, text: string): boolean {
  for (let at = 0; at + quoteCharacters <= message.length; at += 1) {
    if (text.includes(message.slice(at, at + quoteCharacters))) return true;
  }
  return false;
}
