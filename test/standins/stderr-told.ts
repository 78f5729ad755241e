import { once } from "node:events";
import { PassThrough } from "node:stream";
import { onTestFinished, vi } from "vitest";

/** What goes to stderr, line by line. */
export function told(): { readonly lines: string[]; next(): Promise<unknown> } {
  const lines: string[] = [];
  const heard = new PassThrough();
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    lines.push(String(text));
    heard.emit("told");
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  return { lines, next: () => once(heard, "told") };
}
