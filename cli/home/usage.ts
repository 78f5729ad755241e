import type { Command } from "commander";
import { askUsage } from "../../device/usage/month-usage.ts";
import { namesOfUsers } from "../../device/usage/names-of-users.ts";
import { errorKinds } from "../../events/error-kinds.ts";
import { featureUsage, type UsageResponse } from "../../events/http/usage.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions } from "../context.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { withDeviceIfAny } from "../scouts/known-scouts.ts";
import { withHome } from "../scouts/scouts-home.ts";

type FeatureUsage = UsageResponse["features"][number];

const featureNames: Record<FeatureUsage["feature"], string> = {
  triage: "triage",
  folder_index: "folders",
  agents: "agents",
  categorize: "reading proposals",
};

/** Agents, by what they do, as the console's page of usage calls them. */
const agentNames: ReadonlyMap<string, string> = new Map([
  ["home", "questions"],
  ["brief", "briefs"],
  ["task_brief", "briefs of tasks"],
  ["categorize", "reading proposals"],
]);

const grouped = (tokens: number): string => tokens.toLocaleString("en-US");

const shareOf = ({ committed, limit }: FeatureUsage): number => (limit === null || limit === 0 ? 0 : committed / limit);

function showUsage(
  output: Output,
  { tier, month, resetsAt, features, damaged = [] }: UsageResponse,
  names: ReadonlyMap<string, string | null>,
): void {
  const noLimit = damaged.includes("account") ? "not known" : "none";
  output.line(`${output.style("bold", month)}  ${tier}, until ${new Date(resetsAt).toISOString().slice(0, 10)}`);
  table(output, features, [
    { title: "FEATURE", cell: ({ feature }) => featureNames[feature] },
    { title: "USED", cell: ({ used }) => grouped(used) },
    { title: "SET ASIDE", cell: ({ used, committed }) => grouped(Math.max(0, committed - used)) },
    { title: "LIMIT", cell: ({ limit }) => (limit === null ? noLimit : grouped(limit)) },
    {
      title: "SHARE",
      cell: (each) => (each.limit === null ? "" : `${Math.round(shareOf(each) * 100)}%`),
      style: (each) => (shareOf(each) >= 0.9 ? "yellow" : "reset"),
    },
  ]);
  showDamaged(output, damaged);
  const parts = features.flatMap(({ feature, within }) => within.map((each) => ({ feature, ...each })));
  if (parts.length === 0) return;
  output.line();
  table(output, parts, [
    { title: "OF", cell: ({ feature }) => featureNames[feature] },
    { title: "TOKENS", cell: ({ tokens }) => grouped(tokens) },
    { title: "SCOUT OR PROJECT", cell: ({ id }) => printable(agentNames.get(id) ?? names.get(id) ?? id) },
  ]);
}

/** What is missing above, and why. */
function showDamaged(output: Output, damaged: NonNullable<UsageResponse["damaged"]>): void {
  for (const each of damaged) {
    const what = each === "account" ? "plan" : featureNames[each];
    output.line(`${what}: ${errorKinds.row_damaged.sentence} (row_damaged)`);
  }
}

/** `scouts usage`: the month's tokens, asked of the home that runs here. */
export function addUsage(program: Command, context: CliContext): void {
  const command = program
    .command("usage")
    .description("tokens used this month, and what the plan allows")
    .option("--months <number>", "so many months, this one included (13 at most)", wholeNumber(1, 13), 1);
  withCommonOptions(command).action((flags: CommonOptions & { months: number }) =>
    withHome(context, flags, async (api, output) => {
      const usage = await askUsage(api, flags.months);
      if (flags.json) output.json(usage);
      else {
        showUsage(output, usage, withDeviceIfAny(context, flags, namesOfUsers) ?? new Map());
        showPast(output, usage.past ?? []);
      }
    }),
  );
}

type Past = NonNullable<UsageResponse["past"]>;

/** Features that a month is told of, or whose row is damaged in one, in the order the home has them. */
function columnsOf(past: Past): FeatureUsage["feature"][] {
  const told = new Set(
    past.flatMap(({ features, damaged = [] }) => [...features.map((each) => each.feature), ...damaged]),
  );
  return featureUsage.shape.feature.options.filter((each) => told.has(each));
}

/** Months before, a row each. */
function showPast(output: Output, past: Past): void {
  if (past.length === 0) return;
  output.line();
  table(output, past, [
    { title: "MONTH", cell: ({ month }) => month },
    ...columnsOf(past).map((feature) => ({
      title: featureNames[feature].toUpperCase(),
      cell: ({ features, damaged }: (typeof past)[number]) =>
        damaged?.includes(feature)
          ? "not known"
          : grouped(features.find((each) => each.feature === feature)?.used ?? 0),
    })),
  ]);
}
