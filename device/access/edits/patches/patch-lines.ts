import { AccessError } from "../../errors.ts";
import type { LineEnding } from "../lines/document.ts";
import type { HunkLine } from "./patch.ts";

/** The lines of a patch, and where in them the reader is. A CR at the end of a line stays only when it means something. */
export class PatchLines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    // When every line ends in CR, that is how the patch was carried, not what it says.
    const carried = lines.length > 0 && lines.every((line, index) => line.endsWith("\r") || index === lines.length - 1);
    this.#lines = carried && text.includes("\r\n") ? lines.map((line) => line.replace(/\r$/, "")) : lines;
  }

  /** 1-based number of the line at hand. */
  get number(): number {
    return this.#at + 1;
  }

  /** The line at hand, or one further on; undefined behind the end. */
  peek(ahead = 0): string | undefined {
    return this.#lines[this.#at + ahead];
  }

  /** The line at hand without CR, for headers. */
  header(ahead = 0): string | undefined {
    return this.peek(ahead)?.replace(/\r$/, "");
  }

  next(): string | undefined {
    const line = this.#lines[this.#at];
    if (line !== undefined) this.#at++;
    return line;
  }

  skip(count: number): void {
    this.#at += count;
  }

  malformed(detail: string): AccessError {
    return new AccessError("patch_malformed", { detail: `Line ${this.number}: ${detail}` });
  }
}

/**
 * Lines as read become lines of a hunk: once one of them ends in CR, their endings are stated (git shows a CRLF file so)
 * and are part of what is looked for. `isExact`: whether there is a newline is stated as well, as in a diff made by a
 * program, and in any hunk that says "No newline at end of file" somewhere.
 */
export function withStatedEndings(lines: readonly HunkLine[], isExact = false): HunkLine[] {
  if (!lines.some(({ text }) => text.endsWith("\r"))) {
    if (!isExact && !lines.some(({ ending }) => ending === "")) return [...lines];
    return lines.map((line) => ({ ending: "any", ...line }));
  }
  return lines.map(({ kind, text, ending }) => {
    const stated: LineEnding = text.endsWith("\r") ? "\r\n" : "\n";
    return { kind, text: text.replace(/\r$/, ""), ending: ending === "" ? "" : stated };
  });
}
