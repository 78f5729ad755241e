import type { MorningBrief } from "../../device/brief/morning-brief.ts";
import type { Attended } from "../../device/proposals/attention/order.ts";
import { shownTimes } from "../../device/work/shown-times.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { printable, truncated } from "../output/printable.ts";

const widestSender = 24;

/** What waits, then what the week brings: a line each, the most urgent first. */
export function showMorningBrief(
  output: Output,
  brief: MorningBrief,
  { today, zone }: { readonly today: string; readonly zone: string },
): void {
  const { waiting, more, onlyToKnow, unread, week } = brief;
  output.line(output.style("bold", "Waiting for you"));
  if (waiting.length === 0) output.line("  nothing");
  for (const each of waiting) output.line(`  ${waitingLine(output, each, today)}`);
  const rest = [
    ...(more > 0 ? [`${more} more`] : []),
    ...(onlyToKnow > 0 ? [`${onlyToKnow} only to know`] : []),
    ...(unread > 0 ? [`${unread} nobody has looked at yet`] : []),
  ];
  if (rest.length > 0) output.line(output.style("dim", `  ${rest.join(", ")}: scouts proposals list --by attention`));
  output.line(`\n${output.style("bold", "The next seven days")}`);
  if (week.overdue.length > 0)
    output.line(
      `  overdue: ${week.overdue.map(({ title, due }) => `${printable(title)} (${due?.slice(0, 10)})`).join("; ")}`,
    );
  if (week.days.length === 0 && week.overdue.length === 0) output.line("  no deadline and no event");
  for (const { day, events, tasks } of week.days) {
    output.line(`  ${weekday(day)} ${day}`);
    for (const event of events) {
      const place = event.place === "" ? "" : `, ${printable(event.place)}`;
      output.line(`    ${shownTimes(event, zone).replace(`${day} `, "")}  ${printable(event.title)}${place}`);
    }
    for (const task of tasks) output.line(`    due  ${printable(task.title)}`);
  }
}

function waitingLine(output: Output, { row, because }: Attended, today: string): string {
  const { metadata, payload, priority, category } = row;
  const who = printable(metadata?.sender.name || metadata?.sender.address || "");
  const when = (payload?.due ?? payload?.start ?? "").slice(0, 10);
  const soon = priority === "none" ? "" : output.style(priority === "now" ? "red" : "yellow", priority);
  const what = category === "unprocessed" ? "" : category.replaceAll("_", " ");
  const title = printable(payload?.title ?? row.rawSubject ?? row.sourceMsgRef);
  const day = payload?.due == null ? "on" : when < today ? "was due" : "due";
  const said = [what, when === "" ? "" : `${day} ${when}`].filter((each) => each !== "").join(" ");
  const why = because.slice(priority === "none" ? 0 : 1, 3).join(", ");
  const head = [soon, truncated(who, widestSender)].filter((each) => each !== "").join("  ");
  return `${head}: ${title}${said === "" ? "" : ` (${said})`}${why === "" ? "" : output.style("dim", `  ${why}`)}`;
}

const weekday = (day: string): string =>
  new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

/** How many lines a brief for programs names. */
export const briefForPrograms = ({ waiting, ...rest }: MorningBrief) => ({
  waiting: waiting.map(({ row, score, because }) => ({
    id: row.id,
    title: row.payload?.title ?? row.rawSubject,
    sender: row.metadata?.sender ?? null,
    category: row.category,
    priority: row.priority,
    due: row.payload?.due ?? null,
    start: row.payload?.start ?? null,
    score: Math.round(score * 100) / 100,
    because,
  })),
  ...rest,
  counted: counted(waiting.length, "proposal"),
});
