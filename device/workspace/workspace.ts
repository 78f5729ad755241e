import { join } from "node:path";
import type * as z from "zod";
import { isProjectFilesError, ProjectFilesError } from "../files/errors.ts";
import type { SyncReport } from "../files/materialize/materialize-types.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import { runSubprocess, type SubprocessOutcome } from "./subprocess.ts";
import { type ToolDefinition, toolDefinition } from "./tool-definition.ts";

/** Takes a tool's output; gives a reference that can be asked for slices. */
export interface OutputStore {
  store(output: Uint8Array, about: { name: string; mediaType: string }): Promise<string>;
}

export interface WorkspaceOptions {
  files: ProjectFiles;
  tools?: readonly z.input<typeof toolDefinition>[];
  outputs: OutputStore;
  /** What every tool inherits: PATH, HOME and the like, chosen by the caller; nothing else of this process's is passed on. */
  environment: Readonly<Record<string, string>>;
  /** Parent of temporary views; the system's choice when left out. */
  temporaryRoot?: string;
}

export interface ToolRun {
  tool: string;
  end: SubprocessOutcome["end"];
  exitCode: number | undefined;
  durationMs: number;
  outputBytes: number;
  droppedBytes: number;
  /** From the `OutputStore`. */
  outputRef: string;
  /** What the tool changed, when it ran on a copy. */
  sync: SyncReport;
  reason?: string;
}

export type Attachment = { kind: "file"; path: string; bytes: Uint8Array } | { kind: "command"; run: ToolRun };

/** A project being worked on: its files, and what may be run on them. Without a project, `files` is `NullProjectFiles`. */
export class Workspace {
  readonly files: ProjectFiles;
  readonly #tools: ReadonlyMap<string, ToolDefinition>;
  readonly #options: WorkspaceOptions;

  /** @throws ZodError for a tool that is not well defined, TypeError for a name used twice */
  constructor(options: WorkspaceOptions) {
    this.files = options.files;
    this.#options = options;
    const tools = new Map<string, ToolDefinition>();
    for (const definition of options.tools ?? []) {
      const tool = toolDefinition.parse(definition);
      if (tools.has(tool.name)) throw new TypeError(`two tools are called ${tool.name}`);
      tools.set(tool.name, tool);
    }
    this.#tools = tools;
  }

  get tools(): ToolDefinition[] {
    return [...this.#tools.values()];
  }

  /**
   * Runs a configured tool in a view of the project and copies back what it changed. A tool that fails is no error: see
   * `end`. Its output is kept whatever happens to the copying back.
   * @throws NotFound (no such tool or working directory), NoProjectFiles, SyncFailed
   */
  async runTool(
    name: string,
    args: readonly string[] = [],
    options: { input?: Uint8Array; signal?: AbortSignal } = {},
  ): Promise<ToolRun> {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new ProjectFilesError("NotFound", { path: name, detail: "no tool of that name" });
    const workingDirectory = await this.files.canonical(tool.workingDirectory);
    const { temporaryRoot } = this.#options;
    const view = await this.files.materialize({
      ...(tool.globs && { globs: tool.globs }),
      ...(temporaryRoot !== undefined && { temporaryRoot }),
      ...(options.signal && { signal: options.signal }),
    });
    let outcome: SubprocessOutcome;
    let outputRef: string;
    try {
      outcome = await runSubprocess({
        command: commandWith(tool.command, args),
        workingDirectory: join(view.root, workingDirectory),
        environment: { ...this.#options.environment, ...tool.environment, SCOUTS_CONTEXT_ROOT: view.root },
        timeoutMs: tool.timeoutMs,
        maxOutputBytes: tool.maxOutputBytes,
        ...options,
      });
      outputRef = await this.#options.outputs.store(outcome.output, { name: `${name}.log`, mediaType: "text/plain" });
    } catch (error) {
      await view.discard();
      throw error;
    }
    const sync = await view.close();
    const { output, ...facts } = outcome;
    return { tool: name, ...facts, outputBytes: output.length, outputRef, sync };
  }

  /** A file's bytes, as something to hand to a model. @throws NotFound, TooLarge and the like */
  async attachFile(path: string, maxBytes = 1024 * 1024): Promise<Attachment> {
    return { kind: "file", path: await this.files.canonical(path), bytes: await this.files.read(path, { maxBytes }) };
  }

  /** What a configured tool says, as something to hand to a model. */
  async attachCommand(name: string, args: readonly string[] = [], signal?: AbortSignal): Promise<Attachment> {
    return { kind: "command", run: await this.runTool(name, args, signal && { signal }) };
  }

  /**
   * A JSON file of the project, checked by `schema`; `fallback` when the project, or the file, is not there.
   * @throws SyntaxError, ZodError: what is written there is not to be guessed at
   */
  async configuration<S extends z.ZodType>(path: string, schema: S, fallback: z.output<S>): Promise<z.output<S>> {
    let bytes: Uint8Array;
    try {
      bytes = await this.files.read(path, { maxBytes: 1024 * 1024 });
    } catch (error) {
      if (isProjectFilesError(error, "NotFound", "NoProjectFiles")) return fallback;
      throw error;
    }
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  }
}

/** Arguments go where `{args}` stands, else to the end. */
function commandWith(command: readonly string[], args: readonly string[]): string[] {
  return command.includes("{args}")
    ? command.flatMap((part) => (part === "{args}" ? args : [part]))
    : [...command, ...args];
}
