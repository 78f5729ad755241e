import stringWidth from "string-width";
import type { MorningBrief } from "../../device/brief/morning-brief.ts";
import type { Attended } from "../../device/proposals/attention/order.ts";
import { dayNamed, isOverdue, nextTimes } from "../../device/proposals/shown/next-time.ts";
import { dueDay } from "../../device/work/dates/due-day.ts";
import type { Here } from "../../device/work/dates/read-date.ts";
import { dayAfter } from "../../device/work/dates/zone.ts";
import { shownTimes } from "../../device/work/events/shown-times.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { padded, printable, truncated } from "../output/printable.ts";
import { calledOf } from "../proposals/called.ts";
import { showClosedUndecided } from "../proposals/closed-undecided.ts";
import { showPartlyKnown } from "../work/partly-known.ts";

const columns = { soon: 5, day: 11, sender: 22 } as const;
/** Of one day, and of what is overdue; the rest by number. */
const mostOfDay = 6;
const widestTitle = 70;
const widestLine = 110;
/** With less room it stands below. */
const narrowestTitle = 20;
const indent = "    ";
const gap = "  ";

/** Where and when the person is, and the day it is there. */
interface Today extends Here {
  readonly today: string;
}

/** What waits, then what the week brings: a line each, the most urgent first. */
export function showMorningBrief(output: Output, brief: MorningBrief, here: Today): void {
  const { today, zone } = here;
  const { waiting, more, older, onlyToKnow, unread, snoozed, conflicts, week, namingDays } = brief;
  output.line(output.style("bold", "Waiting for you"));
  if (waiting.length === 0) output.line("  nothing");
  for (const each of waiting) showWaiting(output, each, here);
  const rest = [
    ...(more > 0 ? [`${more} more`] : []),
    ...(older > 0 ? [`${more > 0 ? older : `${older} more`}, older`] : []),
    ...(onlyToKnow > 0 ? [`${onlyToKnow} only to know`] : []),
    ...(unread > 0 ? [`${unread} nobody has looked at yet`] : []),
    ...(snoozed > 0 ? [`${snoozed} snoozed`] : []),
  ];
  if (conflicts > 0) {
    const what = `${counted(conflicts, "decision")} of yours ${conflicts === 1 ? "differs" : "differ"} from another device's, which was first`;
    output.line(output.style("yellow", `  ${what}: scouts proposals list, those with !`));
  }
  showClosedUndecided(output, brief.closedUndecided, here, "  ");
  if (rest.length > 0) output.line(output.style("dim", `  ${rest.join(", ")}: scouts proposals list --by attention`));
  output.line(`\n${output.style("bold", "The next seven days")}`);
  if (week.overdue.length > 0) {
    output.line("  overdue");
    some(
      output,
      week.overdue,
      ({ title, due }) => `    ${printable(title)}, since ${due === null ? "" : shownDay(dueDay(due, zone), today)}`,
    );
  }
  if (week.days.length === 0 && week.overdue.length === 0) output.line(`  ${emptyWeek(namingDays)}`);
  for (const { day, events, tasks } of week.days) {
    output.line(`  ${shownDay(day, today)}`);
    const lines = [
      ...events.map((event) => {
        const place = event.place === "" ? "" : `, ${printable(event.place)}`;
        return `    ${shownTimes(event, zone).replace(`${day} `, "")}  ${printable(event.title)}${place}`;
      }),
      ...tasks.map((task) => `    due  ${printable(task.title)}`),
    ];
    some(output, lines, (line) => line);
  }
  showPartlyKnown(output, week.partlyKnown, "  ");
}

/** What has changed in each project, a line each. */
export function showProjectNews(output: Output, projects: MorningBrief["projects"]): void {
  for (const { name, added, changed, removed, files, tasksAdded, tasksDone } of projects.slice(0, mostOfDay)) {
    const parts = [
      ...(added > 0 ? [`${counted(added, "new file")}`] : []),
      ...(changed > 0 ? [`${changed} changed`] : []),
      ...(removed > 0 ? [`${removed} gone`] : []),
      ...(tasksAdded > 0 ? [counted(tasksAdded, "new task")] : []),
      ...(tasksDone > 0 ? [`${counted(tasksDone, "task")} done`] : []),
    ];
    const named = files.map(({ path }) => printable(path)).join(", ");
    const line = `  ${printable(name)}: ${parts.join(", ")}${named === "" ? "" : ` (${named})`}`;
    output.line(fitting(output, line));
  }
  if (projects.length > mostOfDay) output.line(`  and ${counted(projects.length - mostOfDay, "project")} more`);
}

/** A line that ends before the terminal does. */
const fitting = (output: Output, line: string): string => truncated(line, Math.min(widestLine, output.columns));

/** The first of them, and how many more there are. */
function some<T>(output: Output, all: readonly T[], lineOf: (each: T) => string): void {
  for (const each of all.slice(0, mostOfDay)) output.line(fitting(output, lineOf(each)));
  if (all.length > mostOfDay) output.line(`    and ${all.length - mostOfDay} more`);
}

/** Nothing of the person's own; what waits may name a day all the same. */
function emptyWeek(named: number): string {
  if (named === 0) return "no deadline and no event";
  return `nothing you have taken on; ${named === 1 ? "one" : named} of what waits ${named === 1 ? "names" : "name"} a day`;
}

/** One that waits, in a line; its reason, and then its title, have others where the terminal is too narrow. */
function showWaiting(output: Output, { row, because }: Attended, here: Today): void {
  const { today } = here;
  const { metadata, payload, priority, category } = row;
  const who = printable(metadata?.sender.name || metadata?.sender.address || "");
  const isUrgent = priority === "now" || priority === "soon";
  const soon = padded(isUrgent ? priority : "", columns.soon);
  const day = dayNamed(row, here);
  const what = category === "unprocessed" ? "" : category.replaceAll("_", " ");
  const said = [
    [isOverdue(row, here) ? "overdue" : "", what].filter((each) => each !== "").join(" "),
    because.slice(priority === "none" ? 0 : 1, 3).join(", "),
  ];
  const why = said.filter((each) => each !== "").join(": ");
  const title = printable(payload?.title ?? "").trim() || calledOf(row);
  const below = " ".repeat("  ".length + columns.soon + 1 + columns.day + 1);
  const roomBelow = output.columns - below.length;
  const roomBeside = roomBelow - columns.sender - 1;
  const head = [
    isUrgent ? output.style(priority === "now" ? "red" : "yellow", soon) : soon,
    padded(day === "" ? "" : shownDay(day, today), columns.day),
  ];
  if (roomBeside < narrowestTitle) {
    const room = Math.max(narrowestTitle, output.columns - indent.length);
    output.line(`  ${[...head, truncated(who, Math.max(1, roomBelow))].join(" ")}`.trimEnd());
    output.line(`${indent}${truncated(title, room)}`);
    if (why !== "") output.line(`${indent}${output.style("dim", truncated(why, room))}`);
    return;
  }
  const [shownTitle, shownWhy] = [truncated(title, Math.min(widestTitle, roomBeside)), truncated(why, roomBelow)];
  const isBeside = stringWidth(shownTitle) + gap.length + stringWidth(why) <= roomBeside;
  const line = [
    ...head,
    padded(truncated(who, columns.sender), columns.sender),
    isBeside ? `${shownTitle}${gap}${output.style("dim", why)}` : shownTitle,
  ].join(" ");
  output.line(`  ${line.trimEnd()}`);
  if (!isBeside) output.line(`${below}${output.style("dim", shownWhy)}`);
}

/** `today`, `tomorrow`, `Fri 27 Nov`; with its year where that is another. */
function shownDay(day: string, today: string): string {
  if (day === today) return "today";
  if (day === dayAfter(today, 1)) return "tomorrow";
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : { year: "numeric" as const };
  const shown = new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
    ...year,
  });
  return shown.format(new Date(`${day}T00:00:00Z`)).replace(",", "");
}

/** How many lines a brief for programs names. */
export const briefForPrograms = ({ waiting, ...rest }: MorningBrief, here: Here) => ({
  waiting: waiting.map(({ row, score, because }) => ({
    id: row.id,
    title: row.payload?.title ?? row.rawSubject,
    sender: row.metadata?.sender ?? null,
    category: row.category,
    priority: row.priority,
    due: row.payload?.due ?? null,
    start: nextTimes(row, here)?.start ?? row.payload?.start ?? null,
    score: Math.round(score * 100) / 100,
    because,
  })),
  ...rest,
  counted: counted(waiting.length, "proposal"),
});
