import { Argument, type Command } from "commander";
import { age } from "../../device/age.ts";
import { DeviceError } from "../../device/errors.ts";
import { runsOfEach } from "../../device/sources/asked/each-scout.ts";
import { actionsOf, runsOfProject, type ShownRun } from "../../device/sources/asked/list-runs.ts";
import { scoutNamed } from "../../device/sources/scout-named.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import { tellThatOlderMayBe } from "../output/newest.ts";
import type { Output } from "../output/output.ts";
import { table, tableOr } from "../output/table.ts";
import { askScouts } from "./known-scouts.ts";
import { withHome } from "./scouts-home.ts";

const defaultLimit = 20;

/** What a run found, in words. */
function foundText({ found }: ShownRun): string {
  if (found.of === "items") return counted(found.items, "item");
  const counts = [
    [found.added, "new"],
    [found.changed, "changed"],
    [found.renamed, "renamed"],
    [found.removed, "removed"],
  ] as const;
  const some = counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []));
  return some.length === 0 ? "nothing new" : some.join(", ");
}

interface RunsFlags extends CommonOptions {
  readonly limit?: number;
  readonly run?: string;
}

function show(output: Output, runs: readonly ShownRun[], nowMs: number): void {
  if (runs.length === 0) {
    output.line("No runs: nothing new was found in the last thirty days.");
    return;
  }
  table(output, runs, [
    { title: "AGE", cell: ({ at }) => age(at, nowMs) },
    { title: "NAME", cell: ({ name }) => name, least: 8 },
    { title: "SOURCE", cell: ({ source }) => source },
    { title: "OUTCOME", cell: ({ code, outcome }) => (code ?? outcome).replaceAll("_", " ") },
    { title: "FOUND", cell: foundText, fills: true },
    { title: "RUN", cell: ({ id }) => id },
  ]);
}

/** `scouts runs`: when scouts looked at their sources and what they found; of a folder's scan what was done, file by file. */
export function addRuns(program: Command, context: CliContext): void {
  const command = program
    .command("runs")
    .summary("when scouts looked at their sources, and what they found")
    .description(
      "Lists runs of scouts that found something, newest first, and scans of projects' folders. Without a name, of all of " +
        "them. --run shows what a scan did, file by file.",
    )
    .addArgument(new Argument("[name]", "name of a scout or project, or the beginning of a scout's id"))
    .option("--limit <number>", `at most so many of each (default ${defaultLimit})`, wholeNumber(1, 10_000))
    .option("--run <id>", "what this scan of a folder did");
  withCommonOptions(command).action((text: string | undefined, flags: RunsFlags) => {
    if (flags.run !== undefined) return showActions(context, flags, flags.run);
    return withHome(context, flags, async (api, output) => {
      const limit = flags.limit ?? defaultLimit;
      const scans = await withStore(context, flags, (store) => {
        const projects = store.projects
          .list()
          .filter(({ name }) => text === undefined || name.toLowerCase() === text.toLowerCase());
        return projects.map((project) => runsOfProject(store, project, limit));
      });
      const all = await askScouts(context, flags, api);
      const isScanned = scans.some(({ length }) => length > 0);
      const named = text !== undefined && isScanned ? [] : text === undefined ? all : [scoutNamed(all, text)];
      const runs = await runsOfEach(api, named, limit);
      const each = [...runs, ...scans];
      const shown = each.flat().sort((a, b) => b.at - a.at);
      if (flags.json) return output.json(shown);
      show(output, shown, context.now());
      const longest = each.reduce((one, other) => (other.length > one.length ? other : one), []);
      tellThatOlderMayBe(output, longest, limit);
    });
  });
}

function showActions(context: CliContext, flags: RunsFlags, id: string): Promise<void> {
  return withStore(context, flags, (store, output) => {
    const actions = actionsOf(store, id);
    if (actions === undefined) {
      throw new DeviceError("item_unknown", { sentence: `This device has made no scan ${id}; see: scouts runs` });
    }
    if (flags.json) return output.json(actions);
    tableOr(output, "No actions.", actions, [
      { title: "DONE", cell: ({ action }) => action },
      { title: "FILE", cell: ({ relativePath }) => relativePath, fills: true, cutMiddle: true },
      { title: "WHY", cell: ({ code }) => (code ?? "").replaceAll("_", " ") },
    ]);
  });
}
