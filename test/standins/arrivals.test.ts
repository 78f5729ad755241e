import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { createArrivals } from "../../infra/standins/mailbox/arrivals.ts";

/** What goes to stderr, line by line. */
function told(): { readonly lines: string[]; next(): Promise<unknown> } {
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

test("nothing lost: mail that cannot be noted now, on a full disk say, is tried again and ends no home", async () => {
  let waiting = 150;
  let full = 2;
  const arrive = (limit: number) => {
    if (full > 0) {
      full -= 1;
      throw Object.assign(new Error("database or disk is full"), { errstr: "database or disk is full" });
    }
    const some = Math.min(limit, waiting);
    waiting -= some;
    return some;
  };
  const later: (() => void)[] = [];
  const after = (_delayMs: number, run: () => void) => {
    later.push(run);
    return () => {};
  };
  const stderr = told();
  const arrivals = createArrivals(
    () => true,
    arrive,
    () => waiting,
    after,
  );
  onTestFinished(() => arrivals.close());
  const heard = stderr.next();
  arrivals.pump();
  await heard;
  expect(stderr.lines.join("")).toMatch(/mail could not be taken in.*database or disk is full/s);
  // What has come meanwhile asks for it too, and is told of no second time.
  arrivals.pump();
  await new Promise(setImmediate);
  expect([full, stderr.lines.length, waiting]).toEqual([0, 1, 150]);
  const all = arrivals.whenAllArrived();
  for (const run of later.splice(0)) run();
  await all;
  expect(waiting).toBe(0);
});
