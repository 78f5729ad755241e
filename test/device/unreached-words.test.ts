import { describe, expect, test } from "vitest";
import { isDeviceError } from "../../device/errors.ts";
import { explained } from "../../device/sources/explained.ts";
import { ScoutsError } from "../../events/errors.ts";
import { unreachedReasons } from "../../events/sources.ts";

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
