import { Writable } from "node:stream";

/** A terminal of 80 columns that remembers what was written to it. */
export class Screen extends Writable {
  written = "";
  readonly columns = 80;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk.toString();
    done();
  }
}
