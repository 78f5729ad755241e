import type { Command } from "commander";
import { age } from "../../device/age.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore, zoneOf } from "../context.ts";
import { shownTime } from "../output/shown-time.ts";
import { addVerbs, showList, type WorkCommands } from "./entity-commands.ts";

interface MemoryFlags extends CommonOptions {
  readonly source?: string;
}

/** `scouts memory …`: facts to be remembered, each with its source; listed, and deletable for good. */
export function addMemory(program: Command, context: CliContext): void {
  const commands = memoryCommands(context);
  const group = addVerbs(program, context, commands, (fact) => ({ fact }));
  const list = group.command("list").description("list all that is remembered, in the order it was told");
  withCommonOptions(list).action((flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const rows = store.work.memory.list();
      if (flags.json) output.json(rows);
      else showList(output, store, commands, rows);
    }),
  );
}

const memoryCommands = (context: CliContext): WorkCommands<"memory", MemoryFlags> => ({
  kind: "memory",
  description: "facts to be remembered: add, list, remove",
  named: { argument: "fact", description: "what is to be remembered", field: "fact" },
  options: (command) => command.option("--source <text>", "where it is from"),
  draft: (_store, { source }) => (source === undefined ? {} : { source }),
  columns: () => [
    { title: "FACT", cell: ({ fact }) => fact, fills: true },
    { title: "SOURCE", cell: ({ source }) => source, least: 10 },
    { title: "AGE", cell: ({ createdAt }) => age(createdAt, context.now()) },
    { title: "ID", cell: ({ id }) => id },
  ],
  facts: (_store, { source, createdAt }) => [
    ["source", source],
    ["since", shownTime(createdAt, zoneOf(context))],
  ],
  text: () => "",
});
