import type { Command } from "commander";
import * as z from "zod";
import { scoutHealth } from "../../events/health.ts";
import { deletionResponse, runResponse, type ScoutResponse, scoutResponse } from "../../events/http.ts";
import { askCloud } from "../connect/cloud-api.ts";
import { DeviceError } from "../errors.ts";
import { type CliContext, type CommonOptions, withCommonOptions } from "../../cli/context.ts";
import { age, type Output, table } from "../../cli/output/output.ts";
import { printable, printableLines } from "../../cli/output/printable.ts";
import { addAutoTrash } from "./scouts-auto-trash.ts";
import { showHealth } from "../../cli/scouts/shown-health.ts";
import { findScout, listScouts, pathOf, scoutArgument, withHome } from "../../cli/scouts/scouts-home.ts";
import { addSpam } from "./scouts-spam.ts";

/** What a scout is up to, in a word or the code of what keeps it. */
function stateOf(scout: ScoutResponse): string {
  if (scout.disabledCode !== null) return scout.disabledCode.replaceAll("_", " ");
  if (!scout.connected) return "not connected";
  return scout.paused ? "paused" : "watching";
}

const stateStyle = (scout: ScoutResponse) => (stateOf(scout) === "watching" ? "green" : "yellow");

function showList(output: Output, scouts: readonly ScoutResponse[], nowMs: number): void {
  if (scouts.length === 0) {
    output.line("No scouts.");
    return;
  }
  table(output, scouts, [
    { title: "STATE", cell: stateOf, style: stateStyle },
    { title: "SOURCE", cell: ({ sourceType }) => sourceType },
    { title: "LAST RUN", cell: ({ lastRunAt }) => (lastRunAt === null ? "never" : age(lastRunAt, nowMs)) },
    { title: "NAME", cell: ({ name }) => name, fills: true },
    { title: "ID", cell: ({ id }) => id },
  ]);
}

function showOne(output: Output, scout: ScoutResponse): void {
  const time = (at: number | null) => (at === null ? "never" : new Date(at).toISOString());
  const facts: readonly (readonly [string, string])[] = [
    ["id", scout.id],
    ["source", scout.sourceType],
    ["state", stateOf(scout)],
    ["schedule", scout.schedule ?? "every 15 minutes"],
    ["auto-trash", scout.autoTrash ? "on" : "off"],
    ["made", time(scout.createdAt)],
    ["last run", time(scout.lastRunAt)],
    ["next run", scout.nextRunAt === null ? "not planned" : time(scout.nextRunAt)],
  ];
  output.line(output.style("bold", printable(scout.name)));
  for (const [name, value] of facts) output.line(`${output.style("dim", name.padEnd(12))}${printable(value)}`);
  output.line(`\n${printableLines(scout.purpose)}`);
}

function addPause(scouts: Command, context: CliContext, name: "pause" | "resume", paused: boolean): void {
  const summary = paused ? "rest a scout; nothing is lost" : "go on from where it was paused";
  withCommonOptions(scouts.command(name).description(summary).addArgument(scoutArgument())).action(
    (text: string, flags: CommonOptions) =>
      withHome(context, flags, async (api, output) => {
        const { id } = await findScout(api, text);
        const scout = await askCloud(api, "PATCH", pathOf(id), scoutResponse, { paused });
        if (flags.json) output.json(scout);
        else output.line(`${paused ? "paused" : "resumed"}  ${printable(scout.name)}`);
      }),
  );
}

interface DeleteFlags extends CommonOptions {
  readonly yes?: boolean;
}

function addDelete(scouts: Command, context: CliContext): void {
  const command = scouts
    .command("delete")
    .description("delete a scout: stop its watch, give its access back, remove what it knows")
    .addArgument(scoutArgument())
    .option("--yes", "really delete it");
  withCommonOptions(command).action((text: string, flags: DeleteFlags) =>
    withHome(context, flags, async (api, output) => {
      const { id, name } = await findScout(api, text);
      if (!flags.yes) {
        const sentence = `Deleting ${name} gives its access back and removes all it knows; add --yes if you mean it.`;
        throw new DeviceError("usage", { sentence });
      }
      // Of a scout with very many rows, each request removes as many as it has time for.
      const answer = z.union([z.undefined(), deletionResponse]);
      while ((await askCloud(api, "DELETE", pathOf(id), answer)) !== undefined);
      if (flags.json) output.json({ id, deleted: true });
      else output.line(`deleted  ${printable(name)}`);
    }),
  );
}

/** `scouts scouts …`: the scouts of the home that runs on this data folder. */
export function addScouts(program: Command, context: CliContext): void {
  const scouts = program.command("scouts").description("your scouts, of the home that runs here: list, change, delete");
  const one = (name: string, description: string) =>
    withCommonOptions(scouts.command(name).description(description).addArgument(scoutArgument()));

  withCommonOptions(scouts.command("list").description("list your scouts, oldest first")).action(
    (flags: CommonOptions) =>
      withHome(context, flags, async (api, output) => {
        const found = await listScouts(api);
        if (flags.json) output.json(found);
        else showList(output, found, context.now());
      }),
  );
  one("show", "show one scout").action((text: string, flags: CommonOptions) =>
    withHome(context, flags, async (api, output) => {
      const found = await findScout(api, text);
      if (flags.json) output.json(found);
      else showOne(output, found);
    }),
  );
  one("health", "whether a scout does its work, and if not, why").action((text: string, flags: CommonOptions) =>
    withHome(context, flags, async (api, output) => {
      const { id, name } = await findScout(api, text);
      const health = await askCloud(api, "GET", `${pathOf(id)}/health`, scoutHealth);
      if (flags.json) output.json(health);
      else showHealth(output, name, health, context.now());
    }),
  );
  addPause(scouts, context, "pause", true);
  addPause(scouts, context, "resume", false);
  one("run", "look at a scout's source now").action((text: string, flags: CommonOptions) =>
    withHome(context, flags, async (api, output) => {
      const { id, name } = await findScout(api, text);
      const answer = await askCloud(api, "POST", `${pathOf(id)}/run`, runResponse);
      if (flags.json) output.json(answer);
      else output.line(`queued  ${printable(name)}`);
    }),
  );
  addAutoTrash(scouts, context);
  addSpam(scouts, context);
  addDelete(scouts, context);
}
