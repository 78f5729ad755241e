import { spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import { NotCommitted } from "./not-committed.ts";

/** Longer than any of these steps takes on a large repository. */
const timeoutMs = 60_000;
const maxOutputBytes = 16 * 1024 * 1024;

/**
 * What a repository's configuration could have run, or send somewhere, while git works in it. Values on the command line come last
 * and count (git-config(1)).
 */
const withoutPrograms = [
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
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Variables of the person's that git needs to find itself and their name; none of git's own, which could lead it elsewhere. */
const passedOn = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot", "TMPDIR", "TEMP"] as const;

function environmentOf(index: string | undefined): NodeJS.ProcessEnv {
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
}

/** The `git` program in one folder. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitRun>;

/** Runs `git` in a folder without anything that the repository is configured to run. @throws NotCommitted when there is no git, or it does not end */
export function gitIn(folder: string): Git {
  return async (args, { input, index } = {}) => {
    const child = spawn("git", ["--no-pager", "--literal-pathspecs", ...withoutPrograms, ...args], {
      cwd: folder,
      env: environmentOf(index),
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
  };
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
