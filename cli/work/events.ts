import type { Command } from "commander";
import { standingAmong, upcomingEvents } from "../../device/work/events/occurrences.ts";
import { shownTimes } from "../../device/work/events/shown-times.ts";
import { entityNamed } from "../../device/work/find-entity.ts";
import { exportEvents } from "../../device/work/interchange/export-work.ts";
import { importInParts } from "../../device/work/interchange/import-events.ts";
import { readCalendar } from "../../device/work/interchange/read-calendar.ts";
import { gapTextOf, gapWords, partlyKnown } from "../../device/work/recurrence/partly-known.ts";
import { repeatWords } from "../../device/work/recurrence/repeat-words.ts";
import { eventDraft } from "../../device/work/said-drafts.ts";
import { type CliContext, type CommonOptions, hereOf, withCommonOptions, withStore, zoneOf } from "../context.ts";
import { counted } from "../output/counted.ts";
import { asideOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { lateProgress } from "../output/progress.ts";
import { addVerbs, showList, type WorkCommands } from "./entity-commands.ts";
import { readWhole, writeOut, writeWhole } from "./interchange-file.ts";
import { showPartlyKnown } from "./partly-known.ts";

interface EventFlags extends CommonOptions {
  readonly start?: string;
  readonly end?: string;
  readonly zone?: string;
  readonly place?: string;
  readonly with?: string[];
  readonly note?: string;
}

/** `scouts event …`: what is when and where. */
export function addEvents(program: Command, context: CliContext): void {
  const commands = eventCommands(context);
  const group = addVerbs(program, context, commands, (title) => ({ title }));

  const list = group
    .command("list")
    .description("list events that are not over, the next first; a series at its next time")
    .option("--all", "those that are over as well");
  withCommonOptions(list).action((flags: CommonOptions & { all?: boolean }) =>
    withStore(context, flags, (store, output) => {
      const all = store.work.event.list();
      const rows =
        flags.all === true
          ? all.map(standingAmong(all))
          : upcomingEvents(all, { nowMs: context.now(), zone: zoneOf(context) });
      if (flags.json) output.json(rows);
      else showList(output, store, commands, rows);
      showPartlyKnown(flags.json ? asideOn(context.io) : output, partlyKnown(all));
    }),
  );
  addFiles(group, context);
}

/** `event export` and `event import`: calendar files, as other programs read and write them. */
function addFiles(group: Command, context: CliContext): void {
  const out = group
    .command("export")
    .summary("write events as a calendar file (.ics)")
    .description(
      "Writes one event, or all of them, as an iCalendar file. A file that is there is replaced whole, so that a program that " +
        "reads it never sees half of it.",
    )
    .argument("[event]", "id of an event, its end, or (a part of) its title; all when absent")
    .option("--to <path>", "the file; standard output when absent");
  withCommonOptions(out).action((text: string | undefined, flags: CommonOptions & { to?: string }) =>
    withStore(context, flags, async (store, output) => {
      const one = text === undefined ? undefined : entityNamed(store, "event", text).id;
      const { text: calendar, count } = await exportEvents(store, one);
      if (flags.to === undefined) {
        if (flags.json) output.json({ calendar });
        else writeOut(context, calendar);
        return;
      }
      const file = writeWhole(context, flags.to, calendar);
      if (flags.json) output.json({ file, events: count });
      else output.line(`written  ${counted(count, "event")}  ${printable(file)}`);
    }),
  );

  const take = group
    .command("import")
    .summary("take events from a calendar file (.ics)")
    .description(
      "Takes the events of an iCalendar file or an invitation. What is known already by its UID is brought up to date; an older " +
        "revision is left alone, a cancellation cancels.",
    )
    .argument("<file>", "the file");
  withCommonOptions(take).action((file: string, flags: CommonOptions) =>
    withStore(context, flags, async (store, output) => {
      const read = await readCalendar(await readWhole(context, file));
      const progress = lateProgress(context.io, flags.json, "Importing");
      const imported = await importInParts(store, read, context.now(), {
        told: (done) => progress?.update({ done, total: read.events.length }),
        signal: context.io.signal,
      }).finally(() => progress?.finish());
      if (flags.json) {
        output.json(imported);
        return;
      }
      const { added, changed, unchanged, outdated, untaken, partlyKnown: partly } = imported;
      output.line(`${added} added, ${changed} changed, ${unchanged} known already, ${outdated} of an older revision`);
      for (const { title, why } of untaken) output.line(`not taken  ${printable(title)}: ${printable(why)}`);
      for (const { title, gap } of partly) output.line(`taken, but  ${printable(title)}: ${gapWords[gap]}`);
    }),
  );
}

const eventCommands = (context: CliContext): WorkCommands<"event", EventFlags> => ({
  kind: "event",
  description: "what is when and where: add, list, edit",
  named: { argument: "title", description: "what takes place", field: "title" },
  options: (command) =>
    command
      .option("--start <date>", "2026-11-27T17:00, or words such as next Friday at 5pm; a day alone lasts all day")
      .option("--end <date>", "the same, or a time such as 18:30; the last day of what lasts all day")
      .option("--zone <zone>", "its time zone, such as Europe/Berlin; floating: the time wherever you are")
      .option("--place <text>", "where it is")
      .option("--with <person...>", "who takes part")
      .option("--note <text>", "what else is to be known"),
  draft: (_store, { start, end, zone, place, with: people, note }, before) =>
    eventDraft({ start, end, zone, place, people, note }, hereOf(context), before),
  columns: () => [
    { title: "WHEN", cell: (event) => shownTimes(event, zoneOf(context)) },
    { title: "TITLE", cell: ({ title }) => title, fills: true },
    { title: "PLACE", cell: ({ place }) => place, least: 8 },
    { title: "STATUS", cell: ({ status }) => (status === "confirmed" ? "" : status) },
    { title: "ID", cell: ({ id }) => id },
  ],
  facts: (_store, event) => [
    ["when", shownTimes(event, zoneOf(context))],
    ["repeats", repeatWords(event, hereOf(context))],
    ["but", gapTextOf(event)],
    ["place", event.place],
    ["with", event.people.join(", ")],
    ["status", event.status],
    ["uid", event.uid],
  ],
  text: ({ note }) => note,
});
