import type { Command } from "commander";
import { entityNamed } from "../../device/work/find-entity.ts";
import { exportNotes } from "../../device/work/interchange/export-work.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { namedPath, pathGiven } from "../given-path.ts";
import { counted } from "../output/counted.ts";
import { printable } from "../output/printable.ts";
import { addVerbs, showList, type WorkCommands } from "./entity-commands.ts";
import { writeInto, writeOut, writeWhole } from "./interchange-file.ts";

interface NoteFlags extends CommonOptions {
  readonly text?: string;
}

/** `scouts note …`: texts in Markdown. */
export function addNotes(program: Command, context: CliContext): void {
  const group = addVerbs(program, context, noteCommands, (title) => ({ title }));
  const list = group.command("list").description("list notes, in the order they were made");
  withCommonOptions(list).action((flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const rows = store.work.note.list();
      if (flags.json) output.json(rows);
      else showList(output, store, noteCommands, rows);
    }),
  );

  const out = group
    .command("export")
    .summary("write notes as Markdown files")
    .description("Writes one note as a Markdown file, or all of them into a folder, each as a file of its own.")
    .argument("[note]", "id of a note, its end, or (a part of) its title; all when absent")
    .option("--to <path>", "the file, or the folder for all of them; standard output when absent", namedPath)
    .option("--replace", "write over files of that folder that say something else; one file is always replaced");
  withCommonOptions(out).action((text: string | undefined, flags: CommonOptions & { to?: string; replace?: boolean }) =>
    withStore(context, flags, (store, output) => {
      const one = text === undefined ? undefined : entityNamed(store, "note", text).id;
      const notes = exportNotes(store, one);
      const { to } = flags;
      if (to === undefined) {
        if (flags.json) output.json({ notes });
        else writeOut(context, notes.map((note) => note.text).join("\n"));
        return;
      }
      const files =
        one === undefined
          ? writeInto(context, to, notes, flags.replace === true)
          : notes.map((note) => writeWhole(context, to, note.text));
      if (flags.json) output.json({ files, notes: files.length });
      else output.line(`written  ${counted(files.length, "note")}  ${printable(pathGiven(context, to))}`);
    }),
  );
}

const noteCommands: WorkCommands<"note", NoteFlags> = {
  kind: "note",
  description: "what you want to keep in words: add, list, show",
  named: { argument: "title", description: "what it is called", field: "title" },
  options: (command) => command.option("--text <markdown>", "what it says, in Markdown"),
  draft: (_store, { text }) => (text === undefined ? {} : { markdown: text }),
  columns: () => [
    { title: "TITLE", cell: ({ title }) => title, fills: true },
    { title: "SAYS", cell: ({ markdown }) => markdown.split("\n", 1).join(), least: 16 },
    { title: "ID", cell: ({ id }) => id },
  ],
  facts: () => [],
  text: ({ markdown }) => markdown,
};
