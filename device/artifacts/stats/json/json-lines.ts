import { Carry } from "../carry.ts";
import { JsonFields } from "./json-fields.ts";
import { JsonScanner } from "./json-scanner.ts";

const newline = 10;
/** Longer lines are not held back: what is counted of one that turns out broken stays counted. */
const maxHeldBytes = 16 * 1024 * 1024;

/**
 * Gives JSON Lines to a scanner, whole lines only: a line that is no JSON is left out before anything of it is counted.
 */
export class JsonLines {
  readonly #scanner: JsonScanner;
  readonly #carry = new Carry();
  /** In a line too long to be held back. */
  #isOpen = false;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
  }

  write(piece: Buffer): void {
    const bytes = this.#carry.join(piece);
    let from = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
      this.#line(bytes.subarray(from, end + 1));
      from = end + 1;
    }
    if (this.#isOpen || bytes.length - from > maxHeldBytes) {
      this.#isOpen = true;
      this.#scanner.write(bytes.subarray(from));
    } else this.#carry.keep(bytes, from);
  }

  end(): void {
    if (this.#carry.length > 0) this.#line(Buffer.from(this.#carry.join(Buffer.alloc(0))));
    this.#scanner.end();
  }

  #line(line: Buffer): void {
    if (this.#isOpen || isJson(line)) this.#scanner.write(line);
    else {
      const trial = new JsonScanner(new JsonFields(), "rows");
      trial.write(line);
      trial.end();
      if (trial.error === undefined) this.#scanner.write(line);
      else this.#scanner.leaveOut(line.length, trial.error);
    }
    this.#isOpen = false;
  }
}

/** The fast answer; what it says no to, our scanner decides. */
function isJson(line: Buffer): boolean {
  const text = line.toString("utf8");
  try {
    // A blank line is none of the rows.
    if (text.trim() !== "") JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return false;
    throw error;
  }
}
