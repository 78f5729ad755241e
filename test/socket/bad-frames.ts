import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ulid } from "ulidx";
import { clientFrame } from "../../events/frames/frames.ts";
import type { ProposalId } from "../../events/ids.ts";
import { dataFolder, hasData } from "../data/published.ts";

/** A frame that must change nothing, and the kind of badness it stands for. */
export interface BadFrame {
  readonly kind: string;
  readonly text: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const naughtyFile = new URL("paths/naughty_strings.json", dataFolder);

const someStrings = [
  "",
  "null",
  "\u0000",
  "\ud800",
  "\u202e",
  "'; DROP TABLE",
  "../..",
  "{{7*7}}",
  "😀".repeat(9),
  "1e309",
];
const naughty: readonly string[] = hasData
  ? [...someStrings, ...JSON.parse(readFileSync(naughtyFile, "utf8"))]
  : someStrings;

/** One valid frame of every type a device may send. */
const samples: readonly Record<string, unknown>[] = globSync("events/samples/frames.clientFrame.*.json", { cwd: root })
  .sort()
  .map((file) => JSON.parse(readFileSync(`${root}${file}`, "utf8")));

const polluting = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"];
const wrong: readonly unknown[] = [null, true, -1, 1.5, 2 ** 60, "", "x", [], {}, [[]], { inline: 1 }, { toString: 1 }];
/** API Gateway lets no more through. */
const largestBytes = 128 * 1024;

/**
 * Endless frames that must change nothing, the same for the same random numbers.
 *
 * @param others proposals of somebody else than who sends
 */
export function* badFrames(random: () => number, others: readonly ProposalId[]): Generator<BadFrame, never> {
  const upTo = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(all: readonly T[], fallback: T): T => all[upTo(all.length)] ?? fallback;
  const text = () => pick(naughty, "x");
  const id = () => `frm_${ulid()}`;
  const sample = () => structuredClone(pick(samples, {}));
  const noise = (length: number) => String.fromCharCode(...Array.from({ length }, () => upTo(0xffff)));
  const about = (proposalId: string): Record<string, unknown> => {
    const types = ["scout_proposal_ack", "scout_proposals_ack", "scout_proposal_resolved", "scout_item_request"];
    const type = pick(types, "scout_proposal_ack");
    if (type === "scout_proposals_ack") return { type, id: id(), proposalIds: Array(1 + upTo(50)).fill(proposalId) };
    const outcome = pick(["approved", "rejected"], "approved");
    return { type, id: id(), proposalId, ...(type === "scout_proposal_resolved" ? { outcome } : {}) };
  };
  const strange = (): unknown => (random() < 0.5 ? pick(wrong, null) : text());
  const kinds: Record<string, () => string> = {
    noise: () => noise(upTo(200)),
    naughty: text,
    cut: () => {
      const whole = JSON.stringify(sample());
      return whole.slice(0, upTo(whole.length));
    },
    "other JSON": () => JSON.stringify(pick([...wrong, [sample()], [[[1]]]], null)),
    "unknown type": () => JSON.stringify({ ...sample(), type: random() < 0.3 ? pick(polluting, "x") : strange() }),
    "missing field": () => {
      const frame = sample();
      delete frame[pick(Object.keys(frame), "id")];
      return JSON.stringify(frame);
    },
    "wrong field": () => {
      const frame = sample();
      return JSON.stringify({ ...frame, [pick(Object.keys(frame), "id")]: strange() });
    },
    polluting: () => {
      const frame = JSON.stringify({ ...sample(), id: strange() });
      return `{"${pick(polluting, "__proto__")}":{"polluted":true,"type":"ping","id":"${id()}"},${frame.slice(1)}`;
    },
    deep: () => {
      const depth = 1 + upTo(20_000);
      const [open, close] = random() < 0.5 ? ["[", "]"] : ['{"a":', "}"];
      return `{"type":"ping","id":${open.repeat(depth)}1${close.repeat(depth)}}`;
    },
    large: () => JSON.stringify({ ...sample(), id: "x".repeat(1 + upTo(largestBytes - 4_096)) }),
    "other person": () => JSON.stringify(about(pick<string>(others, "x"))),
    unknown: () => JSON.stringify(about(`sct_${ulid()}.${upTo(1e9).toString(36)}`)),
    "unknown item": () => JSON.stringify(about(`${pick<string>(others, "x").slice(0, 30)}.${upTo(1e9).toString(36)}`)),
    version: () => JSON.stringify({ type: "hello", id: id(), protocol: 2 + upTo(9), deviceId: `dev_${ulid()}` }),
    device: () => JSON.stringify({ type: "hello", id: id(), protocol: 1, deviceId: `dev_${ulid()}` }),
    ping: () => JSON.stringify({ type: "ping", id: id(), [text()]: strange() }),
  };
  // Seldom: a megabyte of text for every other frame would measure the generator.
  const rare = new Set(["large", "deep"]);
  const names = Object.keys(kinds).flatMap((kind) => Array.from({ length: rare.has(kind) ? 1 : 8 }, () => kind));
  for (;;) {
    const kind = pick(names, "ping");
    const made = kinds[kind]?.() ?? "";
    if (isHarmless(kind, made)) yield { kind, text: made };
  }
}

/** A field may have become another valid one, and the frame one that may change something. */
function isHarmless(kind: string, text: string): boolean {
  if (!["missing field", "wrong field", "polluting", "naughty", "cut"].includes(kind)) return true;
  try {
    return !clientFrame.safeParse(JSON.parse(text)).success;
  } catch {
    return true;
  }
}
