import type { Attended } from "../../device/proposals/attention/order.ts";
import { dayNamed } from "../../device/proposals/shown/next-time.ts";
import type { Here } from "../../device/work/dates/read-date.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { printable, truncated } from "../output/printable.ts";
import { type Column, table } from "../output/table.ts";
import { subjectOf } from "./called.ts";

const widestSender = 24;

/** What is pending, by what deserves attention, each with the reason in words. */
export function showByAttention(output: Output, attended: readonly Attended[], here: Here): void {
  if (attended.length === 0) {
    output.line("No proposals.");
    return;
  }
  const columns: readonly Column<Attended>[] = [
    {
      title: "SOON",
      cell: ({ row }) => (row.priority === "none" ? "" : row.priority),
      style: ({ row }) => (row.priority === "now" ? "red" : row.priority === "soon" ? "yellow" : "dim"),
    },
    { title: "WHAT", cell: ({ row }) => (row.payload === null ? "" : row.category.replaceAll("_", " ")) },
    { title: "WHEN", cell: ({ row }) => dayNamed(row, here) },
    {
      title: "FROM",
      cell: ({ row }) =>
        truncated(printable(row.metadata?.sender.name || row.metadata?.sender.address || ""), widestSender),
      least: 8,
    },
    { title: "SUBJECT", cell: ({ row }) => subjectOf(row), fills: true },
    {
      title: "BECAUSE",
      // The first is the priority, which has a column.
      cell: ({ row, because }) => because.slice(row.priority === "none" ? 0 : 1).join(", "),
      least: 12,
    },
    { title: "REF", cell: ({ row }) => row.sourceMsgRef },
  ];
  table(output, attended, columns);
  output.line(output.style("dim", `${counted(attended.length, "proposal")}, what deserves attention first`));
}
