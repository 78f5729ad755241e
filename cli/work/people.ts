import type { Command } from "commander";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { addVerbs, showList, type WorkCommands } from "./entity-commands.ts";

interface PersonFlags extends CommonOptions {
  readonly address?: string[];
  readonly note?: string;
}

/** `scouts people …`: whom you know, and how to reach them. */
export function addPeople(program: Command, context: CliContext): void {
  const group = addVerbs(program, context, personCommands, (name) => ({ name }));
  const list = group.command("list").description("list people, by name");
  withCommonOptions(list).action((flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const rows = store.work.person.list();
      if (flags.json) output.json(rows);
      else showList(output, store, personCommands, rows);
    }),
  );
}

const personCommands: WorkCommands<"person", PersonFlags> = {
  kind: "person",
  description: "whom you know: add, list, edit",
  named: { argument: "name", description: "what they are called", field: "name" },
  options: (command) =>
    command
      .option("--address <address...>", "mail addresses or telephone numbers; those given replace the others")
      .option("--note <text>", "what else is to be known"),
  draft: (_store, { address, note }) => ({
    ...(address === undefined ? {} : { addresses: address }),
    ...(note === undefined ? {} : { note }),
  }),
  columns: () => [
    { title: "NAME", cell: ({ name }) => name, fills: true },
    { title: "ADDRESSES", cell: ({ addresses }) => addresses.join(", "), least: 16 },
    { title: "ID", cell: ({ id }) => id },
  ],
  facts: (_store, { addresses }) => [["addresses", addresses.join(", ")]],
  text: ({ note }) => note,
};
