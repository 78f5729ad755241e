import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isBehind,
  type ListingPage,
  readCursor,
  readPage,
  writeCursor,
  writePage,
} from "../../../../shared/scouts/connectors/gmail/position.ts";

const historyId = fc.bigInt({ min: 0n, max: 10n ** 40n - 1n }).map(String);

const damaged = expect.objectContaining({ code: "row_damaged", data: { what: "position" } });

describe("a mailbox's position", () => {
  test("a cursor is read back as it was written, with history ids far beyond 2^53", () => {
    fc.assert(
      fc.property(historyId, fc.nat({ max: 999_999_999 }), fc.boolean(), (id, completeAtSeconds, recovered) => {
        const cursor = { historyId: id, completeAtSeconds, recovered };
        expect(readCursor(writeCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  test("history ids are compared as numbers of any length, not as text and not as floats", () => {
    expect(isBehind("9007199254740993", "9007199254740992")).toBe(false);
    expect(isBehind("99", "100")).toBe(true);
    fc.assert(
      fc.property(historyId, historyId, (a, b) => {
        expect(isBehind(a, b)).toBe(BigInt(a) < BigInt(b));
      }),
    );
  });

  test.each(["", "1", "1.", ".1", "a.1", "1.1.x", "1.1.r.r", "-1.1", `${"1".repeat(41)}.1`])(
    "a damaged cursor (%j) is an error that does not repeat it",
    (text) => {
      expect(() => readCursor(text)).toThrow(damaged);
    },
  );

  test.each(["", "{", "null", '{"kind":"history"}', '{"kind":"other","token":"t","target":"1","startedAtSeconds":5}'])(
    "a damaged listing under way (%j) is an error that does not repeat it",
    (text) => {
      expect(() => readPage(text)).toThrow(damaged);
    },
  );

  test("a listing under way is read back as it was written", () => {
    const pages: ListingPage[] = [
      { kind: "history", token: "t", target: "9007199254740993", startedAtSeconds: 5 },
      { kind: "backfill", target: "1", startedAtSeconds: 5, fromSeconds: 3 },
      { kind: "backfill", token: "t", target: "1", startedAtSeconds: 5, fromSeconds: 3 },
    ];
    for (const page of pages) expect(readPage(writePage(page))).toEqual(page);
  });
});
