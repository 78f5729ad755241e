import type { Command } from "commander";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { type UsageResponse, usageResponse } from "../../events/http/usage.ts";
import { type CliContext, type CommonOptions, withCommonOptions } from "../context.ts";
import type { Output } from "../output/output.ts";
import { table } from "../output/table.ts";
import { withHome } from "../scouts/scouts-home.ts";

type FeatureUsage = UsageResponse["features"][number];

const featureNames: Record<FeatureUsage["feature"], string> = {
  triage: "triage",
  folder_index: "folders",
  agents: "agents",
  categorize: "reading proposals",
};

const grouped = (tokens: number): string => tokens.toLocaleString("en-US");

const shareOf = ({ committed, limit }: FeatureUsage): number => (limit === null || limit === 0 ? 0 : committed / limit);

function showUsage(output: Output, { tier, month, resetsAt, features }: UsageResponse): void {
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
    { title: "SCOUT OR PROJECT", cell: ({ id }) => id },
  ]);
}

/** `scouts usage`: the month's tokens, asked of the home that runs here. */
export function addUsage(program: Command, context: CliContext): void {
  withCommonOptions(program.command("usage").description("tokens used this month, and what the plan allows")).action(
    (flags: CommonOptions) =>
      withHome(context, flags, async (api, output) => {
        const usage = await askCloud(api, "GET", "/api/v1/usage", usageResponse);
        if (flags.json) output.json(usage);
        else showUsage(output, usage);
      }),
  );
}
