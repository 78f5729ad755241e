import type { ListFilesResult } from "../../device/access/tools/reading/list-files.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { tableOr } from "../output/table.ts";

/** A page of a project's files; that it is one, and how to see the rest, stands below it. */
export function showFileList(output: Output, { files, notes, next }: ListFilesResult): void {
  tableOr(output, "No files.", files, [
    { title: "PATH", cell: (file) => file.path, fills: true },
    { title: "BYTES", cell: ({ sizeBytes }) => (sizeBytes === undefined ? "" : String(sizeBytes)) },
    { title: "KIND", cell: (file) => file.tags.join(",") },
    { title: "", cell: (file) => (file.sensitivity === "normal" ? "" : file.sensitivity) },
  ]);
  const more =
    next === undefined
      ? []
      : [
          `Only ${counted(files.length, "file")}; there are more: --after ${JSON.stringify(next)} goes on, --limit lists more at once.`,
        ];
  for (const note of [...notes, ...more]) output.line(output.style("dim", printable(note)));
}
