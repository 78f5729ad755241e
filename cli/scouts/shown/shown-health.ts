import { age } from "../../../device/age.ts";
import type { Here } from "../../../device/brief/ageing.ts";
import { causeOf, whyFailing } from "../../../device/sources/trouble.ts";
import { errorKinds } from "../../../events/error-kinds.ts";
import type { ScoutHealth } from "../../../events/health.ts";
import type { Output } from "../../output/output.ts";
import { printable } from "../../output/printable.ts";
import { shownTime } from "../../output/shown-time.ts";

function stateText({ state, disabledCode, since: sinceMs, failures }: ScoutHealth, nowMs: number): string {
  const fails = state === "active" && failures.count > 0;
  const word = fails ? "failing" : state.replaceAll("_", " ");
  const why = disabledCode === null ? word : `off: ${causeOf(disabledCode)}`;
  const since = fails ? failures.since : sinceMs;
  const stood = since === null ? "now" : age(since, nowMs);
  return stood === "now" ? why : `${why}, for ${stood}`;
}

function backlogText({ backlog }: ScoutHealth): string {
  const codes = Object.entries(backlog.byCode).map(([code, count]) => `${code.replaceAll("_", " ")} ${count}`);
  const why = codes.length === 0 ? "" : ` (${codes.join(", ")})`;
  const part = backlog.complete ? "" : ", of the items looked at";
  return `${backlog.waiting} waiting${why}, ${backlog.dead} set aside${part}`;
}

/** Whether news is announced, and if not, why, what helps and how news is found meanwhile. */
function watchText({ watch, pollEveryMs }: ScoutHealth, zone: string): string {
  const every = `polling every ${Math.max(1, Math.round(pollEveryMs / 60_000))} min`;
  const failure = watch.failureCode === null ? "" : `${errorKinds[watch.failureCode].sentence} (${watch.failureCode})`;
  if (watch.state === "active") {
    const until = watch.expiresAt === null ? "" : ` until ${shownTime(watch.expiresAt, zone)}`;
    return `push is on${until}${failure === "" ? "" : `; it was not prolonged: ${failure}`}`;
  }
  return failure === "" ? `push is off; ${every}` : `push is off, ${every}: ${failure}`;
}

const ofDamage = `${errorKinds.row_damaged.sentence} (row_damaged)`;

/** Whether anything is judged at all. */
function modelText({ waiting, damaged = [] }: ScoutHealth, nowMs: number): string {
  if (damaged.includes("model")) return `not known: ${ofDamage}`;
  if (waiting === null) return "answers";
  const why = `${errorKinds[waiting.code].sentence} (${waiting.code})`;
  return `cannot be asked for ${age(waiting.since, nowMs)}, new items wait at the source: ${why}`;
}

/** What it took and may take, as far as the rows that say so can be read. */
function tokensText({ tokens, damaged = [] }: ScoutHealth): string {
  if (damaged.includes("usage")) return `not known: ${ofDamage}`;
  const cap = tokens.ownerCap === null ? "" : ` of ${tokens.ownerCap}`;
  const counts = `${tokens.scout} by this scout, ${tokens.owner}${cap} in all (${tokens.month})`;
  return damaged.includes("account") ? `${counts}; the limit is not known: ${ofDamage}` : counts;
}

function gapText({ gap }: ScoutHealth, zone: string): string {
  if (gap === null) return "none";
  const became = gap.missed ? ": what came and went again in that time was missed" : ", looked at again";
  return `${shownTime(gap.from, zone)} to ${shownTime(gap.to, zone)}${became}`;
}

/** How a scout is, in lines for a person. */
export function showHealth(output: Output, name: string, health: ScoutHealth, { nowMs, zone }: Here): void {
  const ago = (at: number | null) => (at === null ? "never" : age(at, nowMs));
  const { quota, failures } = health;
  const facts: readonly (readonly [string, string])[] = [
    ["state", stateText(health, nowMs)],
    ["last run", `${ago(health.lastRunAt)} (push ${ago(health.lastPushAt)}, poll ${ago(health.lastPollAt)})`],
    ["watch", watchText(health, zone)],
    ["backlog", backlogText(health)],
    ["model", modelText(health, nowMs)],
    [
      "failures",
      failures.count === 0
        ? "none"
        : `${failures.count} in a row: ${failures.code === null ? "unknown" : `${whyFailing({ ...failures, code: failures.code }).message} (${failures.code})`}`,
    ],
    ["gap", gapText(health, zone)],
    ["tokens", tokensText(health)],
    ["quota", quota === null ? "not counted" : `${Math.round(quota.free * 100)}% free`],
  ];
  output.line(output.style("bold", printable(name)));
  for (const [title, value] of facts) output.line(`${output.style("dim", title.padEnd(12))}${printable(value)}`);
}
