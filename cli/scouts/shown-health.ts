import type { ScoutHealth } from "../../events/health.ts";
import { age, type Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";

function stateText({ state, disabledCode, since }: ScoutHealth, nowMs: number): string {
  const why = disabledCode === null ? state : disabledCode;
  return `${why.replaceAll("_", " ")}${since === null ? "" : ` for ${age(since, nowMs)}`}`;
}

function backlogText({ backlog }: ScoutHealth): string {
  const codes = Object.entries(backlog.byCode).map(([code, count]) => `${code.replaceAll("_", " ")} ${count}`);
  const why = codes.length === 0 ? "" : ` (${codes.join(", ")})`;
  const part = backlog.complete ? "" : ", of the items looked at";
  return `${backlog.waiting} waiting${why}, ${backlog.dead} set aside${part}`;
}

function watchText({ watch }: ScoutHealth): string {
  const until = watch.expiresAt === null ? "" : ` until ${new Date(watch.expiresAt).toISOString()}`;
  const failure = watch.failureCode === null ? "" : `, last try failed: ${watch.failureCode.replaceAll("_", " ")}`;
  return `${watch.state}${watch.state === "active" ? until : ""}${failure}`;
}

/** How a scout is, in lines for a person. */
export function showHealth(output: Output, name: string, health: ScoutHealth, nowMs: number): void {
  const ago = (at: number | null) => (at === null ? "never" : age(at, nowMs));
  const { tokens, quota, failures, gap } = health;
  const cap = tokens.ownerCap === null ? "" : ` of ${tokens.ownerCap}`;
  const facts: readonly (readonly [string, string])[] = [
    ["state", stateText(health, nowMs)],
    ["last run", `${ago(health.lastRunAt)} (push ${ago(health.lastPushAt)}, poll ${ago(health.lastPollAt)})`],
    ["watch", watchText(health)],
    ["backlog", backlogText(health)],
    ["failures", failures.count === 0 ? "none" : `${failures.count} in a row: ${failures.code ?? "unknown"}`],
    [
      "gap",
      gap === null
        ? "none"
        : `${new Date(gap.from).toISOString()} to ${new Date(gap.to).toISOString()}, looked at again`,
    ],
    ["tokens", `${tokens.scout} by this scout, ${tokens.owner}${cap} in all (${tokens.month})`],
    ["quota", quota === null ? "not counted" : `${Math.round(quota.free * 100)}% free`],
  ];
  output.line(output.style("bold", printable(name)));
  for (const [title, value] of facts) output.line(`${output.style("dim", title.padEnd(12))}${printable(value)}`);
}
