import type { Command } from "commander";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { addVerbs, showList, type WorkCommands } from "./entity-commands.ts";

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
