import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { Origin } from "../../device/config/settings-list.ts";
import { DeviceError } from "../../device/errors.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { storePath } from "../../device/store/open.ts";
import {
  type CliContext,
  type CommonOptions,
  dataFolderOf,
  type ExitWith,
  withCommonOptions,
  withStore,
} from "../context.ts";
import { namedPath } from "../given-path.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { type ProjectOptions, rootOf } from "../projects/project-context.ts";
import { standingForGroup } from "../ref-command.ts";

interface ConfigFlags extends CommonOptions {
  readonly root?: string;
  readonly project?: string;
}

const originWords: Readonly<Record<Origin, string>> = {
  default: "built in",
  environment: "SCOUTS_SETTINGS",
  command_line: "--set",
  person: "you, for all projects",
  person_for_project: "you, for this project",
  project: "the project's .scouts.json",
};

/** Whose rule decides of a file. The settings of one call are none of these. */
const ruleWords = (pattern: string): Readonly<Partial<Record<Origin, string>>> => ({
  person: `your rule for ${pattern}, in all projects`,
  person_for_project: `your rule for ${pattern}, in this project`,
  project: `the project's rule for ${pattern}, in its .scouts.json`,
});

/** `scouts config …`: what is set, where, and what follows for a file. */
export function addConfig(program: Command, context: CliContext, exitWith: ExitWith): void {
  const config = program.command("config").description("your settings: rules for files, limits, artifacts, commits");
  const withPlace = (command: Command) =>
    withCommonOptions(command)
      .option("--project <name>", "of one project")
      .option("--root <folder>", "of the project in this folder");

  withPlace(
    standingForGroup(config.command("show", { isDefault: true })).description("every setting, and where it is from"),
  ).action(async (flags: ConfigFlags) => {
    const [{ givenSettings }, { listSettings }, { readPersonalConfig, personalConfigFile }] = await Promise.all([
      import("../../device/config/given-settings.ts"),
      import("../../device/config/settings-list.ts"),
      import("../../device/config/personal-config.ts"),
    ]);
    const dataFolder = dataFolderOf(context, flags);
    const project = await projectOf(context, flags);
    const given = givenSettings([], context.environment.SCOUTS_SETTINGS);
    const list = await listSettings(readPersonalConfig(dataFolder), project, given);
    const output = outputOn(context.io);
    if (flags.json) return output.json({ file: personalConfigFile(dataFolder), ...list });
    table(output, list.settings, [
      { title: "SETTING", cell: ({ name }) => name },
      { title: "VALUE", cell: ({ value }) => valueText(value), fills: true },
      { title: "FROM", cell: ({ from, counts }) => `${originWords[from]}${counts ? "" : " (does not count)"}` },
    ]);
    for (const name of list.notObeyed) {
      output.line(
        output.style("dim", printable(`The project asks for ${name}; that is for you to say, so it is not obeyed.`)),
      );
    }
    output.line(output.style("dim", printable(`Yours are in ${personalConfigFile(dataFolder)}.`)));
  });

  withPlace(
    config
      .command("explain")
      .description("whether models may read and write a file, and why")
      .argument("<path>", "in the project", namedPath),
  ).action(async (path: string, flags: ConfigFlags) => {
    const [{ explainPath }, { readPersonalConfig }] = await Promise.all([
      import("../../device/config/explain-path.ts"),
      import("../../device/config/personal-config.ts"),
    ]);
    const { root, files } = (await projectOf(context, flags)) ?? (await workingProject(context, flags));
    const dataFolder = dataFolderOf(context, flags);
    const explained = await explainPath({ config: readPersonalConfig(dataFolder), dataFolder }, root, files, path);
    const output = outputOn(context.io);
    if (flags.json) return output.json(explained);
    for (const operation of ["read", "write"] as const) {
      const { verdict, reason, by } = explained[operation];
      const why = (by && ruleWords(by.pattern)[by.from]) ?? reason;
      output.line(printable(`${operation}: ${verdict} (${why})`));
    }
    output.line(
      `sensitivity: ${explained.sensitivity}${explained.isIgnored ? "; left out of lists, searches and scans" : ""}`,
    );
  });

  withCommonOptions(
    config.command("check").description("what is wrong with your settings, and with those of your projects"),
  ).action(async (flags: CommonOptions) => {
    const problems = await problemsIn(context, flags);
    const output = outputOn(context.io);
    if (flags.json) output.json(problems);
    else showProblems(output, problems);
    if (problems.length > 0) exitWith(exitCodes.attention);
  });

  withPlace(
    config
      .command("set")
      .description("say a setting, such as limits.calls 500 or read.deny 'customers/**' 'plans/**'")
      .argument("<name>", "as `scouts config show` lists them")
      .argument("<value...>", "a number, true, false or words; several for a list"),
  ).action((name: string, values: string[], flags: ConfigFlags) => change(context, flags, name, values));

  withPlace(
    config
      .command("unset")
      .description("say a setting no more")
      .argument("<name>", "as `scouts config show` lists them"),
  ).action((name: string, flags: ConfigFlags) => change(context, flags, name));
}

async function change(
  context: CliContext,
  flags: ConfigFlags,
  name: string,
  values?: readonly string[],
): Promise<void> {
  const { changeSetting, settingValue } = await import("../../device/config/change-config.ts");
  const value = values && settingValue(name, values);
  const root = (await projectOf(context, flags))?.root;
  await changeSetting(dataFolderOf(context, flags), { name, value, root });
  const output = outputOn(context.io);
  if (flags.json) output.json({ name, value: value ?? null, root: root ?? null });
  else output.line(printable(value === undefined ? `${name} is said no more` : `${name} is ${valueText(value)}`));
}

const valueText = (value: unknown): string => (Array.isArray(value) ? value.map(String).join("  ") : String(value));

function showProblems(output: Output, problems: readonly { where: string; what: string; closes: boolean }[]): void {
  if (problems.length === 0) output.line("Nothing is wrong with your settings.");
  for (const { where, what, closes } of problems) {
    output.line(
      output.style(
        closes ? "red" : "yellow",
        printable(`${where}: ${what}${closes ? " (nothing is read or changed)" : ""}`),
      ),
    );
  }
}

async function problemsIn(context: CliContext, flags: CommonOptions) {
  const { checkPersonalConfig, checkProjectConfig } = await import("../../device/config/check-config.ts");
  const { openFolder } = await import("../../device/files/place/folder-place.ts");
  const dataFolder = dataFolderOf(context, flags);
  const ofPerson = checkPersonalConfig(dataFolder);
  // Settings may be written before there is anything else.
  const roots = existsSync(storePath(dataFolder))
    ? await withStore(context, flags, (store) => store.projects.list().flatMap(({ folderPath }) => folderPath ?? []))
    : [];
  const ofProjects = await Promise.all(roots.map((root) => checkProjectConfig(root, () => openFolder(root))));
  return [...ofPerson, ...ofProjects.flat()];
}

/** The project that is named, if one is. @throws DeviceError `project_unknown`, `folder_not_linked`, `usage` */
async function projectOf(context: CliContext, flags: ConfigFlags) {
  if (flags.project === undefined && flags.root === undefined) return undefined;
  return workingProject(context, flags);
}

async function workingProject(context: CliContext, flags: ConfigFlags & ProjectOptions) {
  const { openFolder, placeOf } = await import("../../device/files/place/folder-place.ts");
  const root = await rootOf(context, flags);
  try {
    return { root: placeOf(root), files: openFolder(root) };
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw new DeviceError("usage", { sentence: `There is no folder ${root}; check how it is written.`, cause });
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error;
