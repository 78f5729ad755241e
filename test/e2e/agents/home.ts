import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readEnvironment } from "../../../cli/environment.ts";
import { runCommand } from "../../../cli/program.ts";
import { type LocalSystem, startSystem } from "../../../cli/up/system.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { Screen } from "../../device/screen.ts";
import { ownFolder } from "../folders.ts";
import { upTo, writeMail } from "../mail.ts";

export interface AgentHome {
  readonly system: LocalSystem;
  readonly data: string;
  /** A folder that is gone when the home is stopped. */
  readonly path: string;
  /** A folder of this test's own, with these files. */
  folder(name: string, files: Readonly<Record<string, string>>): string;
  /** One command of the device in this process. */
  scouts(...words: string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  stop(): Promise<void>;
}

/** A home on this machine, its built-in model unless another is named, and a device beside it. */
export async function agentHome(environment: Readonly<Record<string, string>> = {}): Promise<AgentHome> {
  const own = ownFolder();
  const data = join(own.path, "data");
  const mailboxPath = join(own.path, "mail");
  mkdirSync(mailboxPath);
  writeMail(mailboxPath, upTo(1));
  const signal = new AbortController().signal;
  const system = await startSystem({ ...systemTimeAndIds, dataFolder: data, mailboxPath, environment, signal });
  return {
    system,
    data,
    path: own.path,
    folder(name, files) {
      const root = join(own.path, name);
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      return root;
    },
    async scouts(...words) {
      const [stdout, stderr] = [new Screen(), new Screen()];
      const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
      const context = { io, environment: readEnvironment({}), workingFolder: own.path, ...systemTimeAndIds };
      const code = await runCommand([...words, "--data", data], context, "1.2.3");
      return { code, stdout: stdout.written, stderr: stderr.written };
    },
    async stop() {
      await system.stop();
      own.remove();
    },
  };
}
