import { expect, onTestFinished, test } from "vitest";
import { createArrivals } from "../../infra/standins/mailbox/arrivals.ts";
import { createNotifier } from "../../infra/standins/mailbox/notifier.ts";
import { told } from "./stderr-told.ts";

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

test("nothing lost: a notification that cannot be kept now, on a full disk say, is sent when it can", async () => {
  const sent: string[] = [];
  let isFull = true;
  const later: (() => void)[] = [];
  const arrived = Promise.withResolvers<void>();
  const notifier = createNotifier(
    () => ({ emailAddress: "ada@example.com", historyId: "7" }),
    async ({ historyId }) => {
      if (isFull) throw Object.assign(new Error("database or disk is full"), { errstr: "database or disk is full" });
      sent.push(historyId);
      arrived.resolve();
    },
    (_delayMs, run) => {
      later.push(run);
      return () => {};
    },
  );
  onTestFinished(() => notifier.close());
  const stderr = told();
  const heard = stderr.next();
  notifier.changed();
  await heard;
  expect(stderr.lines.join("")).toMatch(/a notification was not sent.*database or disk is full/s);
  isFull = false;
  for (const run of later.splice(0)) run();
  await arrived.promise;
  expect(sent).toEqual(["7"]);
});
