import { createWriteStream, renameSync, statSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { privateFolder } from "../../standins/private-folder.ts";
import { ToldOnce } from "../../standins/told-once.ts";

export type LogListener = (functionName: string, text: string) => void;

/** Beyond this a log begins anew, keeping the one before: weeks of a home that stays, and on a disk of its person's. */
const usualLargestBytes = 4 * 1024 * 1024;

/** `cloud/logs/<Function>.log`: what the function wrote, and how its invocations ended. No events, no results. */
export class FunctionLog {
  readonly #name: string;
  readonly #path: string;
  readonly #listener: LogListener | undefined;
  readonly #largestBytes: number;
  readonly #ended: Promise<void>[] = [];
  readonly #told: ToldOnce;
  #file: WriteStream;
  #isClosed = false;
  #bytes = 0;

  constructor(folder: string, name: string, listener: LogListener | undefined, largestBytes = usualLargestBytes) {
    privateFolder(folder);
    this.#name = name;
    this.#path = join(folder, `${name}.log`);
    this.#listener = listener;
    this.#largestBytes = largestBytes;
    this.#told = new ToldOnce(`${name}.log cannot be written, and goes on when it can`);
    this.#bytes = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    if (this.#bytes > largestBytes) this.#putAside();
    this.#file = this.#open();
  }

  /** Writes a record of the platform, one JSON object a line. */
  record(type: string, fields: Record<string, unknown>): void {
    this.#write(`${JSON.stringify({ time: new Date().toISOString(), type: `platform.${type}`, ...fields })}\n`);
  }

  take(stream: Readable): void {
    stream.setEncoding("utf8").on("data", (text: string) => this.#write(text));
  }

  #write(text: string): void {
    if (this.#isClosed) return;
    this.#listener?.(this.#name, text);
    // What its disk refused ended it: the disk may have room again.
    if (this.#file.destroyed) this.#file = this.#open();
    // A file that is not open yet would be opened under its new name.
    if (this.#bytes > this.#largestBytes && !this.#file.pending && this.#putAside()) {
      this.#ended.push(ending(this.#file));
      this.#file = this.#open();
    }
    this.#bytes += Buffer.byteLength(text);
    this.#file.write(text, (error) => {
      if (!error) this.#told.passed();
    });
  }

  #open(): WriteStream {
    const file = createWriteStream(this.#path, { flags: "a", mode: 0o600 });
    // A log less is no reason to end a home.
    return file.on("error", (error) => this.#told.failed(error));
  }

  /** @returns whether it is; where the system does not let it be, the log goes on and is tried again when it has grown as much */
  #putAside(): boolean {
    this.#bytes = 0;
    try {
      renameSync(this.#path, `${this.#path}.1`);
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#ended, ending(this.#file)]);
  }
}

async function ending(file: WriteStream): Promise<void> {
  if (file.destroyed) return;
  file.end();
  await finished(file).catch(toldAlready);
}

/** Whoever writes a log hears of what its disk refuses. */
const toldAlready = () => {};
