import { createWriteStream, renameSync, statSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { privateFolder } from "../../standins/private-folder.ts";

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
  #file: WriteStream;
  #bytes = 0;

  constructor(folder: string, name: string, listener: LogListener | undefined, largestBytes = usualLargestBytes) {
    privateFolder(folder);
    this.#name = name;
    this.#path = join(folder, `${name}.log`);
    this.#listener = listener;
    this.#largestBytes = largestBytes;
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
    if (this.#file.writableEnded) return;
    // A file that is not open yet would be opened under its new name.
    if (this.#bytes > this.#largestBytes && !this.#file.pending && this.#putAside()) {
      this.#ended.push(ending(this.#file));
      this.#file = this.#open();
    }
    this.#bytes += Buffer.byteLength(text);
    this.#file.write(text);
    this.#listener?.(this.#name, text);
  }

  #open(): WriteStream {
    return createWriteStream(this.#path, { flags: "a", mode: 0o600 });
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
    await Promise.all([...this.#ended, ending(this.#file)]);
  }
}

function ending(file: WriteStream): Promise<void> {
  file.end();
  return finished(file);
}
