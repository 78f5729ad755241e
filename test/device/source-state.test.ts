import { describe, expect, test } from "vitest";
import { toldFailing } from "../../device/console/told.ts";
import { stateOf, withState } from "../../device/sources/state.ts";
import { failingIn, failingLine } from "../../device/sources/trouble.ts";
import { inbox } from "../console/console-home.ts";

const minuteMs = 60_000;
const nowMs = 1_000 * minuteMs;
const failing = { count: 3, code: "source_folder_unknown", since: nowMs - 12 * minuteMs } as const;

test("a scout that reads on without a folder says so, which one where that was asked, and how others are named", () => {
  const [found] = failingIn([{ ...inbox, name: "Work mail", failing }]);
  if (!found) throw new Error("it does not fail");
  const why = "renamed or deleted at its source, or it does not open (source_folder_unknown)";
  const cure = "To name all it is to read: scouts reconnect 'Work mail' --folder INBOX --folder …";
  expect(failingLine(found, nowMs)).toBe(
    `Work mail has not found one of its folders for 12 min: ${why}. Which: scouts health 'Work mail'. ${cure}`,
  );
  expect(failingLine({ ...found, missing: ["Gone"] }, nowMs)).toBe(
    `Work mail has not found its Gone for 12 min: ${why}. ${cure}`,
  );
});

describe("the state of a scout", () => {
  test.each([
    ["watching", {}],
    ["failing", { failing }],
    ["resting", { restingSince: 1, failing }],
    ["paused", { paused: true, restingSince: 1 }],
    ["notConnected", { connected: false, paused: true }],
    ["off", { disabledCode: "reauth", disabledAt: 1, failing }],
  ] as const)("is %s", (state, facts) => {
    expect(stateOf({ ...inbox, ...facts }).state).toBe(state);
  });

  test("says since when and why to a program too", () => {
    const { state, since, code } = withState({ ...inbox, failing });
    expect({ state, since, code }).toEqual({ state: "failing", since: failing.since, code: failing.code });
  });

  test("is a line with cause and cure for a person", () => {
    const scout = { ...inbox, name: "Work mail", failing: { ...failing, code: "source_unreadable" as const } };
    const [found] = failingIn([inbox, { ...scout, nextRunAt: nowMs + 4 * minuteMs }]);
    expect(found && failingLine(found, nowMs)).toBe(
      "Work mail has not been able to look at its source for 12 min: what the source answers cannot be read " +
        "(source_unreadable). Tried again in 4 min, or at once: scouts run 'Work mail'",
    );
    expect(failingIn([inbox, { ...scout, paused: true }])).toEqual([]);
  });

  test("names the kind of a source that may be at another address, where a page leads to adding it, and of no other", () => {
    const movedOf = (sourceType: string, reason: "missing" | "slow") =>
      failingIn([{ ...inbox, sourceType, failing: { ...failing, code: "source_unavailable" as const, reason } }])
        .map(toldFailing)
        .map(({ movedSource }) => movedSource);
    expect(movedOf("feed", "missing")).toEqual(["feed"]);
    expect(movedOf("feed", "slow")).toEqual([null]);
    expect(movedOf("imap", "missing")).toEqual([null]);
  });

  test("of a feed that is not at its address any more, a scout that is there has another cure than a form has", () => {
    const line = (failed: object, sourceType = "feed") => {
      const scout = { ...inbox, name: "My news", sourceType, failing: { ...failing, ...failed } };
      return failingIn([scout]).map((each) => failingLine(each, nowMs))[0];
    };
    const cure = /If it is at another address now: scouts add feed URL, then scouts remove 'My news'$/;
    const unavailable = "source_unavailable" as const;
    expect(line({ code: unavailable, reason: "missing" })).toMatch(cure);
    expect(line({ code: "source_no_feed" })).toMatch(cure);
    expect(line({ code: "source_leads_round" })).toMatch(cure);
    expect(line({ code: unavailable, reason: "slow" })).not.toMatch(cure);
    expect(line({ code: unavailable, reason: "missing" }, "other")).not.toMatch(cure);
  });

  test("says of a source that was not reached why, to a person and to the page", () => {
    const unavailable = { ...failing, code: "source_unavailable" as const };
    const found = (why: object) => {
      const [each] = failingIn([{ ...inbox, name: "News", failing: { ...unavailable, ...why } }]);
      if (!each) throw new Error("it does not fail");
      return each;
    };
    expect(failingLine(found({ reason: "missing" }), nowMs)).toMatch(
      /: there is nothing at this address \(404\); .* \(source_unavailable\)\. Tried again/,
    );
    expect(failingLine(found({ reason: "status", status: 503 }), nowMs)).toMatch(/answers with an error \(503\); /);
    expect(failingLine(found({}), nowMs)).toMatch(/: the source does not answer; it is asked again \(/);
    const told = toldFailing(found({ reason: "status", status: 503 }));
    expect(told.why).toMatchObject({ about: "status", values: { status: "503" } });
    expect(toldFailing(found({})).why).not.toHaveProperty("about");
  });
});
