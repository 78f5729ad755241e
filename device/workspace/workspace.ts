import { mkdir } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { DeviceError } from "../errors.ts";
import type { MaterializedView } from "../files/materialize/materialize-types.ts";
import { makeViewDirectory } from "../files/materialize/view-directory.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import { runSubprocess, type SubprocessOutcome } from "./subprocess.ts";
import { argvOf, type GivenArguments } from "./tool-arguments.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** Variables of a process, by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface WorkspaceOptions {
  /** Of the project that is worked on; `NullProjectFiles` without one. */
  readonly files: ProjectFiles;
  /** Parent of copies and temporary folders. */
  readonly viewRoot: string;
  /** The person's own variables: of them a tool gets a few, and those its definition names. */
  readonly variables: Variables;
  /** Files that are never copied. */
  readonly mayCopy: (path: string) => Promise<boolean>;
}

/** What came of a tool, and the directory it worked in: whoever gets it closes, keeps or discards that. */
export interface WorkspaceRun {
  readonly outcome: SubprocessOutcome;
  readonly view: MaterializedView;
}

/** What every tool gets of the person's variables: where programs are, and language and time. */
const passedAlways = ["LANG", "LC_ALL", "LC_CTYPE", "TZ", "SystemRoot", "ComSpec", "PATHEXT"];

/** A project in which tools are run, each in a view of its own. */
export class Workspace {
  readonly #options: WorkspaceOptions;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
  }

  /**
   * Runs a tool once. A tool that fails is no error: see `outcome.end`. Home and temporary folder are its own, and gone when
   * this returns.
   *
   * @throws DeviceError `tool_argument_invalid`, `tool_refused` (in place, where there is no place); ProjectFilesError
   * `NotFound` (the working directory), `TooLarge` (the copy), `Cancelled`
   */
  async run(tool: ToolDefinition, given: GivenArguments, signal?: AbortSignal): Promise<WorkspaceRun> {
    const { files, viewRoot, mayCopy } = this.#options;
    const view = await files.materialize({
      copy: !tool.inPlace,
      mayCopy,
      maxTotalBytes: tool.maxWrittenBytes,
      temporaryRoot: viewRoot,
      ...(tool.reads.length > 0 && { globs: tool.reads }),
      ...(signal && { signal }),
    });
    try {
      if (tool.inPlace && !view.isProject) {
        const sentence = `${tool.name} works on the project itself, and these files are not a folder of this machine.`;
        throw new DeviceError("tool_refused", { sentence });
      }
      return { outcome: await this.#runIn(view, tool, given, signal), view };
    } catch (error) {
      await view.discard();
      throw error;
    }
  }

  async #runIn(
    view: MaterializedView,
    tool: ToolDefinition,
    given: GivenArguments,
    signal: AbortSignal | undefined,
  ): Promise<SubprocessOutcome> {
    const { files, viewRoot } = this.#options;
    const own = await makeViewDirectory(viewRoot);
    try {
      const [home, temporary] = [join(own.files, "home"), join(own.files, "tmp")];
      for (const folder of [home, temporary]) await mkdir(folder, { mode: 0o700 });
      const directories = [own.files, ...(view.isProject ? [] : [view.root])];
      const { workingDirectory } = tool;
      return await runSubprocess({
        command: await argvOf(tool, given, { files, root: view.root }),
        workingDirectory:
          workingDirectory === "" ? view.root : join(view.root, await files.canonical(workingDirectory)),
        environment: this.#variablesFor(tool, home, temporary),
        timeoutMs: tool.timeoutMs,
        maxOutputBytes: tool.maxOutputBytes,
        written: { directories, maxBytes: tool.maxWrittenBytes },
        ...(signal && { signal }),
      });
    } finally {
      await own.remove();
    }
  }

  #variablesFor(tool: ToolDefinition, home: string, temporary: string): Record<string, string> {
    const { variables } = this.#options;
    const passed = [...passedAlways, ...tool.passes].flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const own = { HOME: home, USERPROFILE: home, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
    return { PATH: searchPath(variables), ...own, ...Object.fromEntries(passed), ...tool.environment };
  }
}

/** Where programs are looked for. A relative folder would be one of the project, with programs somebody else has put there. */
export function searchPath(variables: Variables): string {
  const folders = (variables["PATH"] ?? variables["Path"] ?? "").split(delimiter);
  return folders.filter((folder) => isAbsolute(folder)).join(delimiter);
}
