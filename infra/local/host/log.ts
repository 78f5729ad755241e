import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { privateFolder } from "../../standins/private-folder.ts";

export type LogListener = (functionName: string, text: string) => void;

/** `cloud/logs/<Function>.log`: what the function wrote, and how its invocations ended. No events, no results. */
export class FunctionLog {
  readonly #name: string;
  readonly #file: WriteStream;
  readonly #listener: LogListener | undefined;

  constructor(folder: string, name: string, listener: LogListener | undefined) {
    privateFolder(folder);
    this.#name = name;
    this.#listener = listener;
    this.#file = createWriteStream(join(folder, `${name}.log`), { flags: "a" });
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
    this.#file.write(text);
    this.#listener?.(this.#name, text);
  }

  async close(): Promise<void> {
    this.#file.end();
    await finished(this.#file);
  }
}
