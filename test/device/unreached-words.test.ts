import { describe, expect, test } from "vitest";
import { isDeviceError } from "../../device/errors.ts";
import { explained } from "../../device/sources/explained.ts";
import { commandFor, troubleLine } from "../../device/sources/trouble.ts";
import { ScoutsError } from "../../events/errors.ts";
import { unreachedReasons } from "../../events/sources/unreached.ts";
import { inbox } from "../console/console-home.ts";

const nowMs = 1_000_000;

describe("why a source does not answer", () => {
  test.each(unreachedReasons)("has a sentence of its own: %s", (reason) => {
    const failure = explained(new ScoutsError("source_unavailable", { data: { reason, status: 502 } }), []);
    if (!isDeviceError(failure)) throw new Error("it was not explained");
    expect(failure).toMatchObject({ code: "source_unavailable", exact: { about: reason } });
    expect(failure.message).not.toMatch(/^Nothing answers there|\{\{|undefined/);
  });

  test.each([{}, { reason: "tomorrow" }])(
    "that is not known, or known to another version only, is said as before: %j",
    (data) => {
      const failure = explained(new ScoutsError("source_unavailable", { data }), []);
      expect(failure).toMatchObject({ message: expect.stringMatching(/^Nothing answers there/) });
    },
  );
});

test("a source whose scout is being removed is told as that, by name, with what to do", () => {
  const scout = { ...inbox, name: "Mail" };
  const refused = new ScoutsError("scout_deleting", { data: { scoutId: inbox.id } });
  expect(explained(refused, [scout])).toMatchObject({
    code: "source_in_use",
    message: expect.stringMatching(/^Mail reads this source and is being removed.*remove it once more\.$/),
  });
  expect(explained(refused, [])).toBe(refused);
});

test("what no scout reads, and is being added, is told as that: nobody looks for a scout that is not there", () => {
  const refused = new ScoutsError("source_in_use", { data: { scoutId: inbox.id, retryAfterMs: 40_000 } });
  expect(explained(refused, [])).toMatchObject({
    code: "source_in_use",
    message: "This source is being added just now, or that broke off; if no scout reads it in a minute, add it again.",
  });
  expect(explained(refused, [{ ...inbox, name: "Mail" }])).toMatchObject({
    message: expect.stringMatching(/^Mail reads this source already/),
  });
});

test("a scout whose feed has become another's is to be removed", () => {
  const trouble = { id: inbox.id, name: "Mail", offCode: "source_in_use" as const, offSince: null };
  expect(troubleLine(trouble, nowMs)).toMatch(
    /another scout of yours reads the same source.*To mend it: scouts remove Mail$/,
  );
});

test.each([
  ["source_gone", /gone for good.*To mend it: scouts remove Mail$/],
  ["source_wants_password", /asks for a password.*To mend it: scouts remove Mail$/],
  ["source_forbidden", /administrator does not allow.*To mend it: scouts reconnect Mail, once the administrator/],
] as const)("%s has one cure, and the sentence names the same", (offCode, line) => {
  const trouble = { id: inbox.id, name: "Mail", offCode, offSince: null };
  expect(troubleLine(trouble, nowMs)).toMatch(line);
  const verb = commandFor(trouble).split(" ")[1];
  const { message } = new ScoutsError(offCode);
  expect(message).toMatch(verb === "remove" ? /remove the scout/ : /connect again/);
  expect(message).not.toMatch(/connect it to another/);
  // Who adds such a source has no scout on it.
  if (verb === "remove") expect(message).toMatch(/, if there is one\.$/);
});
