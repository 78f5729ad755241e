import { expect, test } from "vitest";
import { EventLog } from "../../device/console/news/event-log.ts";
import { followEvents } from "../../device/console/news/follow-events.ts";
import { ManualClock } from "../device/manual-clock.ts";

const beatMs = 15_000;

/** A log that counts who waits for its next event. */
function counted() {
  const log = new EventLog("run");
  let waiting = 0;
  return {
    log,
    waiting: () => waiting,
    parts: {
      ...{ clock: new ManualClock(), isOnline: () => true, isReading: () => false },
      log: {
        get at() {
          return log.at;
        },
        since: (place: string) => log.since(place),
        onNext(tell: () => void) {
          waiting += 1;
          const leave = log.onNext(tell);
          return () => {
            waiting -= 1;
            leave();
          };
        },
      },
    },
  };
}

test("a tab to which nothing happens waits once, however many beats it is sent, and not at all when it has left", async () => {
  const { log, parts, waiting } = counted();
  const left = new AbortController();
  const events = followEvents(parts, log.at, left.signal);
  for (let beat = 0; beat < 50; beat++) {
    const next = events.next();
    expect(waiting()).toBe(1);
    parts.clock.advance(beatMs);
    expect((await next).value).toMatchObject({ event: { type: "beat" } });
    expect(waiting()).toBe(0);
  }
  const next = events.next();
  log.add({ type: "connection", online: true });
  expect((await next).value).toMatchObject({ at: "run.1", event: { type: "connection" } });
  const last = events.next();
  left.abort();
  expect((await last).done).toBe(true);
  expect(waiting()).toBe(0);
});

test("everyone who waits is told of the next event, once", () => {
  const log = new EventLog("run");
  const told: string[] = [];
  log.onNext(() => told.push("a"));
  const leave = log.onNext(() => told.push("b"));
  log.onNext(() => told.push("c"));
  leave();
  log.add({ type: "connection", online: true });
  log.add({ type: "connection", online: false });
  expect(told).toEqual(["a", "c"]);
});
