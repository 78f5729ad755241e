import { Argument, type Command } from "commander";
import { age } from "../../device/age.ts";
import { type Dismissed, dismissedBy, whenWritten } from "../../device/items/dismissed.ts";
import { scoutNamed } from "../../device/sources/scout-named.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions } from "../context.ts";
import type { Output } from "../output/output.ts";
import { type Column, table } from "../output/table.ts";
import { askScouts } from "../scouts/known-scouts.ts";
import { withHome } from "../scouts/scouts-home.ts";
import { senderOf, subjectOf, unreadOf } from "./at-source.ts";

const defaultLimit = 50;

interface SpamFlags extends CommonOptions {
  readonly limit?: number;
  /** False with `--no-source`. */
  readonly source: boolean;
}

function whereabouts({ trashedAt, keptBecause }: Dismissed): string {
  if (trashedAt !== null) return "in Trash";
  return keptBecause === null ? "left in place" : `left: ${keptBecause.replaceAll("_", " ")}`;
}

function show(output: Output, items: readonly Dismissed[], options: { read: boolean; nowMs: number }): void {
  if (items.length === 0) {
    output.line("Nothing was dismissed.");
    return;
  }
  const several = new Set(items.map(({ scout }) => scout.id)).size > 1;
  const columns: readonly (Column<Dismissed> | false)[] = [
    { title: "AGE", cell: (item) => age(whenWritten(item), options.nowMs) },
    several && { title: "SCOUT", cell: ({ scout }) => scout.name, least: 8 },
    { title: "WHY", cell: ({ reasonCode }) => reasonCode.replaceAll("_", " ") },
    { title: "SURE", cell: ({ confidence }) => `${Math.round(confidence * 100)}%` },
    options.read && {
      title: "FROM",
      cell: senderOf,
      least: 10,
    },
    options.read && { title: "SUBJECT", cell: subjectOf, fills: true },
    items.some(({ trashedAt, keptBecause }) => trashedAt !== null || keptBecause !== null) && {
      title: "WHERE",
      cell: whereabouts,
      least: 8,
    },
    { title: "REF", cell: ({ ref }) => ref },
  ];
  table(
    output,
    items,
    columns.filter((column) => column !== false),
  );
  for (const line of unreadOf(items)) output.line(output.style("yellow", line));
  output.line(output.style("dim", "To read one: scouts open REF. To take one back: scouts restore REF"));
}

/** `scouts spam`: what scouts have dismissed, with sender and subject read at the source for this one look. */
export function addSpam(program: Command, context: CliContext): void {
  const command = program
    .command("spam")
    .summary("what scouts have dismissed, newest first")
    .description(
      "Lists what a scout, or every scout, has dismissed, newest first. Sender and subject are read at the source for this " +
        "one look and kept nowhere.",
    )
    .addArgument(new Argument("[scout]", "name of a scout, or the beginning of its id"))
    .option("--limit <number>", `at most so many of each scout (default ${defaultLimit})`, wholeNumber(1, 100_000))
    .option("--no-source", "leave the source alone: only what the home keeps is shown");
  withCommonOptions(command).action((text: string | undefined, flags: SpamFlags) =>
    withHome(context, flags, async (api, output) => {
      const all = await askScouts(context, flags, api);
      const wanted = text === undefined ? all : [scoutNamed(all, text)];
      const items: Dismissed[] = [];
      for (const scout of wanted) {
        for await (const page of dismissedBy(api, scout, flags.limit ?? defaultLimit, flags.source))
          items.push(...page);
      }
      items.sort((a, b) => b.triagedAt - a.triagedAt);
      if (flags.json) output.json(items.map(({ scout, ...item }) => ({ scoutId: scout.id, ...item })));
      else show(output, items, { read: flags.source, nowMs: context.now() });
    }),
  );
}
