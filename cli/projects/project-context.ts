import { type Command, Option } from "commander";
import type { ToolOutcome } from "../../device/access/file-access.ts";
import type { OpenProject, ReviewModel } from "../../device/access/open-project.ts";
import type { Approver } from "../../device/access/policy/approver.ts";
import type { Backend } from "../../device/access/policy/profiles.ts";
import type { AccessSession } from "../../device/access/session/session.ts";
import type { ApproverAtClient } from "../../device/activity/waiting-approver.ts";
import type { ConfigPlace } from "../../device/config/config-schema.ts";
import { DeviceError } from "../../device/errors.ts";
import { linkedFolder } from "../../device/projects/project-list.ts";
import type { FileToolName } from "../../events/agent-tools/file-tools.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions, withStore } from "../context.ts";
import { textOfStream } from "../handed-text.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { printableCode } from "../output/printable-code.ts";
import { lateProgress } from "../output/progress.ts";
import { canAsk, saysYes } from "../output/yes-or-no.ts";
import { folderGiven } from "./bucket-options.ts";
import { projectNamed } from "./project-named.ts";
import { ToolRefusal } from "./tool-refusal.ts";

export interface ProjectOptions extends CommonOptions {
  readonly root?: string;
  /** Of a project of this device, by name or id. */
  readonly project?: string;
  readonly yes?: boolean;
  readonly set?: readonly string[];
  readonly as?: Backend;
}

/** The options of commands that work on a project's files. */
export function withProjectOptions(command: Command): Command {
  return withCommonOptions(command)
    .addOption(new Option("--root <folder>", "the project's folder (default: the working folder)"))
    .addOption(new Option("--project <name>", "the folder that is linked to this project").conflicts("root"))
    .addOption(
      new Option("--as <backend>", "show as much as such a model is shown").choices(["local", "cloud", "review"]),
    )
    .addOption(
      new Option("--set <name=value>", "a setting for this call, as often as you like")
        .argParser((said: string, before: readonly string[]) => [...before, said])
        .default([]),
    )
    .addOption(new Option("--yes", "approve what the policy asks about"));
}

/**
 * The folder that is meant: a directory's path, or a bucket's address as it is linked.
 *
 * @throws DeviceError `project_unknown`, `folder_not_linked`, `folder_not_found` (a project's), `usage`, `store_missing`
 */
export async function rootOf(context: CliContext, options: ProjectOptions): Promise<string> {
  const { linked, path } = await folderMeant(context, options);
  if (linked === undefined) return path;
  // What the other commands do not need is not loaded for them.
  const { requireThere } = await import("../../device/folders/linked-away.ts");
  requireThere(linked);
  return path;
}

/** The same, whether or not it is there. @throws DeviceError `project_unknown`, `folder_not_linked`, `usage`, `store_missing` */
export async function folderMeant(context: CliContext, options: ProjectOptions) {
  const { root = ".", project } = options;
  if (project === undefined) return { linked: undefined, path: folderGiven(context, root, {}) };
  const linked = await withStore(context, options, (store) => linkedFolder(store, projectNamed(store, project).id));
  return { linked, path: linked.folderPath };
}

export interface ProjectWork {
  readonly project: OpenProject;
  readonly session: AccessSession;
  readonly output: Output;
  /** Runs a tool as the person at the terminal. @throws ToolRefusal */
  run<T extends FileToolName>(
    tool: T,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Extract<ToolOutcome<T>, { ok: true }>["result"]>;
}

/**
 * Opens the project for one command, and closes it after.
 *
 * @param lookingAt all files, so that what is known of them is of now, or those alone that the command names
 * @throws DeviceError `interrupted`, and those of `openProject` and {@link rootOf}
 */
export async function withProject<R>(
  context: CliContext,
  options: ProjectOptions,
  work: (opened: ProjectWork) => Promise<R>,
  lookingAt: "all files" | "named files" = "all files",
): Promise<R> {
  // What the other commands do not need is not loaded for them.
  const [{ openProject }, { openPersonSession }] = await Promise.all([
    import("../../device/access/open-project.ts"),
    import("../../device/access/person-session.ts"),
  ]);
  const { signal } = context.io;
  const looked = lookedAt(context, options);
  const project = await openProject({
    root: await rootOf(context, options),
    dataFolder: dataFolderOf(context, options),
    approver: options.yes ? { approve: async () => true } : terminalApprover(context),
    reviewModel: reviewModelOf(context),
    overrides: await overridesOf(context, options),
    now: context.now,
    newId: context.newId,
    refreshesRegistry: lookingAt === "all files",
    signal,
    onFile: looked?.show,
  }).finally(() => looked?.finish());
  try {
    await tellAsks(context, options, project);
    const session = openPersonSession(project.access, { backend: options.as });
    return await work({
      project,
      session,
      output: outputOn(context.io),
      async run(tool, args) {
        const outcome = await project.access.call(session, tool, args, signal);
        if (outcome.ok) return outcome.result;
        if (outcome.error.code === "cancelled") throw new DeviceError("interrupted");
        const { current } = outcome.error;
        if (current !== undefined && !options.json) context.io.stderr.write(`${printableCode(current)}\n`);
        throw new ToolRefusal(outcome.error, outcome.result);
      },
    });
  } finally {
    project.close();
  }
}

/** Opens the project for a command that names its files: no other is looked at. @throws DeviceError as {@link withProject} */
export const withNamedFiles = <R>(
  context: CliContext,
  options: ProjectOptions,
  work: (opened: ProjectWork) => Promise<R>,
): Promise<R> => withProject(context, options, work, "named files");

/** How many files were looked at, where that takes long. */
function lookedAt({ io }: CliContext, { json }: ProjectOptions) {
  const progress = lateProgress(io, json, "Looking");
  return (
    progress && { show: (done: number) => progress.update({ done, note: "files" }), finish: () => progress.finish() }
  );
}

/** A project that asks for more than it may is told no once, to whoever works on it. */
async function tellAsks(context: CliContext, options: ProjectOptions, { root, access }: OpenProject): Promise<void> {
  const { newAsks } = await import("../../device/config/new-asks.ts");
  const asks = await newAsks(dataFolderOf(context, options), root, access.kit.files);
  if (asks.length === 0) return;
  const sentence = `.scouts.json of this project asks for ${asks.join(", ")}; that is for you to say (scouts config set), so it is not obeyed.`;
  context.io.stderr.write(`scouts: ${printable(sentence)}\n`);
}

/** What counts more than the configuration in this call. @throws DeviceError `setting_invalid` */
export async function overridesOf(
  { environment }: CliContext,
  { set = [] }: ProjectOptions,
): Promise<readonly ConfigPlace[]> {
  const { givenSettings } = await import("../../device/config/given-settings.ts");
  return givenSettings(set, environment.SCOUTS_SETTINGS).map(({ place }) => place);
}

/** The device's own model, when the environment names one. */
export function reviewModelOf({ environment }: CliContext): ReviewModel | undefined {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } = environment;
  if (OPENAI_API_KEY === undefined && OPENAI_BASE_URL === undefined) return undefined;
  return {
    apiKey: OPENAI_API_KEY ?? "none",
    baseUrl: OPENAI_BASE_URL ?? "https://api.openai.com/v1",
    model: OPENAI_MODEL ?? "gpt-4o-mini",
  };
}

/** Asks at the terminal; where there is none, nobody is there to say yes. */
export function terminalApprover({ io }: CliContext): Approver {
  return {
    async approve({ action, reason, diff }) {
      if (!canAsk(io)) return false;
      if (diff !== undefined) io.stderr.write(`${printableCode(diff)}\n`);
      return saysYes(io, `May this be done: ${printable(action)}? (${printable(reason)})`);
    },
  };
}

/** Whoever sits at this terminal, as one of the places where a program's question may be answered. */
export const terminalClient = (context: CliContext): ApproverAtClient => ({
  ...terminalApprover(context),
  canAsk: () => canAsk(context.io),
});

/** The whole of standard input, which is text. @throws DeviceError `usage` when it is none or too large, `interrupted` */
export const standardInput = ({ io, secrets }: CliContext): Promise<string> =>
  textOfStream(secrets?.stdin ?? [], "Standard input", { code: "usage", signal: io.signal });
