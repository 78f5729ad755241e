import type { Command } from "commander";
import { type CliContext, type CommonOptions, type ExitWith, withCommonOptions } from "../context.ts";
import { printable } from "../output/printable.ts";
import { addToolChanges } from "./tool-changes.ts";
import { addToolOffers } from "./tool-offers.ts";
import { type AllowFlags, describedTool, projectOf, withAllowOptions } from "./tool-options.ts";
import { addToolRun } from "./tool-run.ts";
import { withTools } from "./tool-setting.ts";

/** `scouts tool …`: programs the person lets be run on a project. */
export function addTools(program: Command, context: CliContext, exitWith: ExitWith): void {
  const group = program
    .command("tool")
    .summary("programs you let be run on a project: allow, list, run, changes, apply")
    .description(
      "Programs you let be run on a project's files, such as a formatter or your tests. They stand in your data folder and " +
        "never in a project: a list that comes with one is not read. A tool works in a copy, and what it changes there " +
        "comes into the project when you say so.",
    );
  addAllow(group, context);
  addList(group, context);
  addRemove(group, context);
  addToolOffers(group, context);
  addToolRun(group, context, exitWith);
  addToolChanges(group, context, exitWith);
}

function addAllow(group: Command, context: CliContext): void {
  const allow = group
    .command("allow")
    .description("let a program be run, and say what is contained and what is not")
    .argument("<name>", "what it is called here")
    .argument("<program...>", "after --: program and arguments, {name} for what is said when it is run")
    .addHelpText(
      "after",
      `
Options of scouts stand before the --; what follows is the program's.

Examples:
  scouts tool allow format --writes "src/**" -- npx prettier --write src
  scouts tool allow test --argument suite=enum:unit,all --default suite=unit -- npm run test:{suite}
`,
    );
  withCommonOptions(withAllowOptions(allow)).action((name: string, argv: string[], flags: AllowFlags) =>
    withTools(
      context,
      flags,
      async (setting, output) => {
        const { allowTool } = await import("../../device/tools/allow-tool.ts");
        const { showContainment, showTool } = await import("./shown-tools.ts");
        const { containmentOf } = await import("../../device/tools/containment.ts");
        const tool = describedTool(name, argv, flags, projectOf(setting.store, flags) ?? undefined);
        const { program: found, replaced } = await allowTool(tool, { ...setting, replaces: flags.replace ?? false });
        if (flags.json) return output.json({ tool, program: found ?? null, replaced, ...containmentOf(tool) });
        output.line(replaced ? "allowed, in the place of the one before" : "allowed");
        showTool(output, tool);
        showContainment(output, tool);
        if (found === undefined) {
          output.line(output.style("yellow", printable(`There is no program ${tool.argv[0]} on your PATH now.`)));
        } else output.line(output.style("dim", printable(`It runs ${found}.`)));
      },
      { mayBeFirst: true },
    ),
  );
}

function addList(group: Command, context: CliContext): void {
  const list = group
    .command("list")
    .description("the tools you allow")
    .option("--project <project>", "those that may be run in this project, and whether it brings a list of its own");
  withCommonOptions(list).action((flags: CommonOptions & { readonly project?: string }) =>
    withTools(context, flags, async (setting, output) => {
      const { listTools } = await import("../../device/tools/list-tools.ts");
      const { showOffer, showTool } = await import("./shown-tools.ts");
      const listed = await listTools(projectOf(setting.store, flags), setting);
      if (flags.json) return output.json(listed);
      if (listed.tools.length === 0) output.line("No tool is allowed; see: scouts tool allow --help");
      for (const tool of listed.tools) {
        showTool(output, tool);
        for (const offer of listed.offers) if (offer.tool === tool.name) showOffer(output, offer, setting.store);
      }
      const told = listed.notices.map((notice) => output.style("yellow", printable(notice)));
      for (const line of told) output.line(line);
    }),
  );
  const confirm = group
    .command("confirm")
    .description("say that the list is yours, after it came here by another way than these commands");
  withCommonOptions(confirm).action((flags: CommonOptions) =>
    withTools(context, flags, async (setting, output) => {
      const { confirmToolList } = await import("../../device/tools/tool-list.ts");
      const { showTool } = await import("./shown-tools.ts");
      const { tools } = await confirmToolList(setting);
      if (flags.json) return output.json({ tools });
      output.line(`confirmed: ${tools.length === 1 ? "one tool" : `${tools.length} tools`}`);
      for (const tool of tools) showTool(output, tool);
    }),
  );
}

function addRemove(group: Command, context: CliContext): void {
  const remove = group.command("remove").description("let a tool be run no more").argument("<name>", "the tool");
  withCommonOptions(remove).action((name: string, flags: CommonOptions) =>
    withTools(context, flags, async (setting, output) => {
      const { changeToolList, toolNamed } = await import("../../device/tools/tool-list.ts");
      await changeToolList(setting, (list) => {
        toolNamed(list, name);
        const isOther = (tool: string) => tool !== name;
        return {
          tools: list.tools.filter((tool) => isOther(tool.name)),
          offers: list.offers.filter(({ tool }) => isOther(tool)),
        };
      });
      if (flags.json) output.json({ removed: name });
      else output.line(`removed  ${printable(name)}`);
    }),
  );
}
