import { Writable } from "node:stream";

/** A terminal that remembers what was written to it. */
export class Screen extends Writable {
  written = "";
  readonly columns: number;

  constructor(columns = 80) {
    super();
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk.toString();
    done();
  }
}
