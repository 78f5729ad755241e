import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { localHome } from "../../device/connect/local-home.ts";
import { isDeviceError } from "../../device/errors.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { generatedMail } from "../bench/pipeline/generated-mail.ts";
import { CutDevice } from "./cut-device.ts";

export const projectName = "chaos";
const program = path.join(import.meta.dirname, "../../cli/launch.js");
/** How often the data folder is asked whether its home answers, and for how long. */
const askEveryMs = 250;
const startTimeoutMs = 90_000;

export interface Places {
  readonly dataFolder: string;
  readonly mailboxPath: string;
  readonly secondDevice: string;
  readonly project: string;
  readonly mails: number;
}

/** One home that is killed again and again, and everything around it. */
export class ChaosRun implements AsyncDisposable {
  readonly #folder: string;
  readonly #random: () => number;
  readonly #seed: number;
  readonly #mail: Generator<Uint8Array, never>;
  #child: ChildProcess | undefined;
  #cycles = 0;
  #mails = 0;
  #files = 0;
  #kills = 0;
  #cuts = 0;

  private constructor(folder: string, random: () => number, seed: number) {
    this.#folder = folder;
    this.#random = random;
    this.#seed = seed;
    this.#mail = generatedMail(seed);
  }

  static async begin(random: () => number, seed: number): Promise<ChaosRun> {
    const run = new ChaosRun(await mkdtemp(path.join(tmpdir(), "scouts-chaos-")), random, seed);
    const { mailboxPath, project } = run.places();
    await mkdir(mailboxPath);
    await mkdir(project);
    storeIn(run.places().dataFolder, (store) => store.projects.add(projectName));
    await run.#grow();
    return run;
  }

  places(): Places {
    const at = (name: string) => path.join(this.#folder, name);
    return {
      dataFolder: at("data"),
      mailboxPath: at("mail"),
      secondDevice: at("second"),
      project: at("project"),
      mails: this.#mails,
    };
  }

  totals() {
    return { cycles: this.#cycles, kills: this.#kills, cuts: this.#cuts, mails: this.#mails, files: this.#files };
  }

  /** More mail and files, a home that misbehaves, a device that loses its connections, and SIGKILL in the middle. */
  async cycle(): Promise<string> {
    this.#cycles += 1;
    if (this.#cycles > 1) await this.#grow();
    const { dataFolder, mailboxPath, secondDevice } = this.places();
    const hostile = ["--hostile", "--seed", String(this.#seed * 1000 + this.#cycles)];
    const home = start(["up", "--mailbox", mailboxPath, "--data", dataFolder, "--json", ...hostile]);
    this.#child = home;
    const exited = once(home, "exit");
    const started = await comesUp(home, dataFolder);
    const liveMs = 3_000 + Math.floor(this.#random() * 15_000);
    if (started) {
      const device = CutDevice.connect(dataFolder, secondDevice, this.#random);
      const work = start(folderCommand(this.places()));
      await setTimeout(liveMs);
      this.#cuts += await device.close();
      work.kill("SIGKILL");
    }
    home.kill("SIGKILL");
    this.#kills += 1;
    await exited;
    return `cycle ${this.#cycles}: ${this.#mails} mails, ${this.#files} files, killed after ${started ? liveMs : 0} ms`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child?.kill("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #grow(): Promise<void> {
    const { mailboxPath, project } = this.places();
    const mails = 20 + Math.floor(this.#random() * 80);
    for (let more = 0; more < mails; more += 1) {
      const name = `${String(this.#mails).padStart(6, "0")}.eml`;
      await writeFile(path.join(mailboxPath, name), this.#mail.next().value);
      this.#mails += 1;
    }
    for (let more = 0; more < 10; more += 1) {
      await writeFile(
        path.join(project, `note-${this.#files}.md`),
        `# Note ${this.#files}\n\nAbout matter ${this.#files}.\n`,
      );
      this.#files += 1;
    }
    // A note that was moved begins anew.
    const touched = Math.floor(this.#random() * this.#files);
    await appendFile(path.join(project, `note-${touched}.md`), `More about it, ${this.#cycles}.\n`);
    if (this.#cycles > 1 && this.#random() < 0.5) {
      const moved = path.join(project, `note-${Math.floor(this.#random() * this.#files)}.md`);
      await rename(moved, moved.replace("note-", `moved-${this.#cycles}-`)).catch(() => undefined);
    }
  }
}

/** The folder is linked once, which goes on until it has come through; then it is scanned again and again. */
export function folderCommand({ dataFolder, project }: Places): readonly string[] {
  const data = ["--data", dataFolder];
  const isLinked = storeIn(dataFolder, (store) => store.projects.list().some(({ folderPath }) => folderPath !== null));
  return isLinked ? ["project", "rescan", projectName, ...data] : ["project", "link", projectName, project, ...data];
}

/** Whether the home came up; one that died at its own faults is started again by the next cycle. */
export async function comesUp(home: ChildProcess, dataFolder: string): Promise<boolean> {
  const untilMs = Date.now() + startTimeoutMs;
  while (home.exitCode === null && home.signalCode === null && Date.now() < untilMs) {
    if (await answers(dataFolder)) return true;
    await setTimeout(askEveryMs);
  }
  return false;
}

/** Runs the command line to its end. @returns its exit code */
export async function runProgram(words: readonly string[], more: Environment = {}): Promise<number> {
  const child = start(words, more);
  await once(child, "exit");
  return child.exitCode ?? -1;
}

type Environment = Readonly<Record<string, string>>;

/** @param more of the environment, beside what every program needs */
export function start(words: readonly string[], more: Environment = {}): ChildProcess {
  return spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], ...more },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** A home that was killed leaves word of itself: only one that gives a token is there. */
async function answers(dataFolder: string): Promise<boolean> {
  try {
    await localHome(dataFolder, Date.now).auth();
    return true;
  } catch (error) {
    if (isDeviceError(error)) return false;
    throw error;
  }
}

function storeIn<T>(dataFolder: string, use: (store: DeviceStore) => T): T {
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  try {
    return use(store);
  } finally {
    store.close();
  }
}
