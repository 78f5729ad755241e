import { spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import { NotCommitted } from "./not-committed.ts";

/** Longer than any of these steps takes on a large repository. */
const timeoutMs = 60_000;
const maxOutputBytes = 16 * 1024 * 1024;

type Setting = readonly [name: string, value: string];

/** What a repository's configuration could have run, or send somewhere, while git works in it. */
const withoutPrograms: readonly Setting[] = [
  ["core.hooksPath", devNull],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["credential.helper", ""],
  ["diff.external", ""],
  ["commit.gpgSign", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["protocol.allow", "never"],
  ["submodule.recurse", "false"],
];

/** Variables of the person's that git needs to find itself and their name; none of git's own, which could lead it elsewhere. */
const passedOn = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot", "TMPDIR", "TEMP"] as const;

function environmentOf(settings: readonly Setting[], index: string | undefined): NodeJS.ProcessEnv {
  const passed = passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    ...Object.fromEntries(passed),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    // A partial clone asks its remote for what it lacks, by a program its configuration names.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
    // These count more than any file (git-config(1)); unlike `-c` they take names with an equals sign.
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([name, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, name],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}

export interface GitRun {
  readonly code: number;
  readonly stdout: string;
  /** For nobody but a person: it may quote paths. */
  readonly stderr: string;
}

export interface GitOptions {
  readonly input?: string | Uint8Array;
  /** In place of the repository's own. */
  readonly index?: string;
  /** False for a command that takes a path and no pattern. Default true. */
  readonly takesPathspecs?: boolean;
}

/** The `git` program in one folder. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitRun>;

/**
 * Runs `git` in a folder without anything that the repository is configured to run when it is first asked: for one task, not for good.
 *
 * @throws NotCommitted when there is no git, or it does not end
 */
export function gitIn(folder: string): Git {
  let filters: Promise<string[]> | undefined;
  return async (args, options = {}) => {
    filters ??= filtersIn(folder);
    return run(folder, [...withoutPrograms, ...withoutFilters(await filters)], args, options);
  };
}

/** Even where an index is only written git looks at files again, through the filter that is set for them. */
async function filtersIn(folder: string): Promise<string[]> {
  const asked = ["config", "-z", "--name-only", "--get-regexp", "^filter\\."];
  const { stdout } = await run(folder, withoutPrograms, asked, {});
  const names = stdout.split("\0").flatMap((key) => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)];
}

const withoutFilters = (names: readonly string[]): Setting[] =>
  names.flatMap((name): Setting[] => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ]);

async function run(
  folder: string,
  settings: readonly Setting[],
  args: readonly string[],
  { input, index, takesPathspecs = true }: GitOptions,
): Promise<GitRun> {
  const child = spawn("git", ["--no-pager", ...(takesPathspecs ? ["--literal-pathspecs"] : []), ...args], {
    cwd: folder,
    env: environmentOf(settings, index),
    stdio: ["pipe", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  const [stdout, stderr] = [new Output(), new Output()];
  child.stdout.on("data", (piece: Buffer) => stdout.add(piece));
  child.stderr.on("data", (piece: Buffer) => stderr.add(piece));
  // It may end without reading.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  try {
    const [code] = await once(child, "close");
    if (typeof code !== "number") throw new NotCommitted("git did not end in time.");
    return { code, stdout: stdout.text, stderr: stderr.text };
  } catch (error) {
    if (error instanceof NotCommitted) throw error;
    throw new NotCommitted("The program git could not be started; is it installed?", { cause: error });
  }
}

class Output {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= maxOutputBytes) this.#pieces.push(piece);
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }
}
