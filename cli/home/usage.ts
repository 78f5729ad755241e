import type { Command } from "commander";
import { askUsage } from "../../device/usage/month-usage.ts";
import { namesOfUsers } from "../../device/usage/names-of-users.ts";
import type { UsageResponse } from "../../events/http/usage.ts";
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
  { tier, month, resetsAt, features }: UsageResponse,
  names: ReadonlyMap<string, string | null>,
): void {
  output.line(`${output.style("bold", month)}  ${tier}, until ${new Date(resetsAt).toISOString().slice(0, 10)}`);
  table(output, features, [
    { title: "FEATURE", cell: ({ feature }) => featureNames[feature] },
    { title: "USED", cell: ({ used }) => grouped(used) },
    { title: "SET ASIDE", cell: ({ used, committed }) => grouped(Math.max(0, committed - used)) },
    { title: "LIMIT", cell: ({ limit }) => (limit === null ? "none" : grouped(limit)) },
    {
      title: "SHARE",
      cell: (each) => (each.limit === null ? "" : `${Math.round(shareOf(each) * 100)}%`),
      style: (each) => (shareOf(each) >= 0.9 ? "yellow" : "reset"),
    },
  ]);
  const parts = features.flatMap(({ feature, within }) => within.map((each) => ({ feature, ...each })));
  if (parts.length === 0) return;
  output.line();
  table(output, parts, [
    { title: "OF", cell: ({ feature }) => featureNames[feature] },
    { title: "TOKENS", cell: ({ tokens }) => grouped(tokens) },
    { title: "SCOUT OR PROJECT", cell: ({ id }) => printable(agentNames.get(id) ?? names.get(id) ?? id) },
  ]);
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

/** Months before, a row each. */
function showPast(output: Output, past: NonNullable<UsageResponse["past"]>): void {
  const [newest] = past;
  if (newest === undefined) return;
  output.line();
  table(output, past, [
    { title: "MONTH", cell: ({ month }) => month },
    ...newest.features.map(({ feature }) => ({
      title: featureNames[feature].toUpperCase(),
      cell: ({ features }: (typeof past)[number]) =>
        grouped(features.find((each) => each.feature === feature)?.used ?? 0),
    })),
  ]);
}
