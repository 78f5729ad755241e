import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CommandReader } from "../../../infra/standins/imap/wire/command-reader.ts";
import { parseDateTime, parseDay, writeDateTime } from "../../../infra/standins/imap/wire/dates.ts";
import { decodeName, encodeName } from "../../../infra/standins/imap/wire/modified-utf7.ts";
import { includes, parseSequenceSet, writeSequenceSet } from "../../../infra/standins/imap/wire/sequence-set.ts";
import { parseValues, SyntaxFault } from "../../../infra/standins/imap/wire/values.ts";

describe("names of folders", () => {
  test.each([
    ["INBOX", "INBOX"],
    ["Entwürfe", "Entw&APw-rfe"],
    ["a & b", "a &- b"],
    // The example of RFC 3501 §5.1.3.
    ["~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"],
    ["🌱", "&2DzfMQ-"],
  ])("%s is written as %s", (name, written) => {
    expect(encodeName(name)).toBe(written);
    expect(decodeName(encodeName(name))).toBe(name);
  });

  test("any name comes back, and goes over the wire as printable ASCII (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (name) => {
        expect(encodeName(name)).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeName(encodeName(name))).toBe(name);
      }),
    );
  });
});

describe("sets of numbers", () => {
  test("what is written is what is in them (property)", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (numbers) => {
        const sorted = numbers.toSorted((one, other) => one - other);
        const set = parseSequenceSet(writeSequenceSet(sorted), 60) ?? [];
        expect(Array.from({ length: 60 }, (_, n) => n + 1).filter((n) => includes(set, n))).toEqual(sorted);
      }),
    );
  });

  test.each([
    ["2:4", [[2, 4]]],
    ["4:2", [[2, 4]]],
    // RFC 3501 §6.4.8 does not say in which order a client names them, or that it names each once.
    [
      "7,2:4,3:5,1",
      [
        [1, 1],
        [2, 5],
        [7, 7],
      ],
    ],
    ["*", [[9, 9]]],
    // RFC 3501 §6.4.8: the last one, also where the range begins behind it.
    ["12:*", [[9, 12]]],
    [
      "1,3:*",
      [
        [1, 1],
        [3, 9],
      ],
    ],
  ])("%s", (text, ranges) => {
    expect(parseSequenceSet(text, 9)).toEqual(ranges);
  });

  test.each(["", "0", "1:", ":1", "1;2", "a", "1:2:3", "-1"])("%s is none", (text) => {
    expect(parseSequenceSet(text, 9)).toBeUndefined();
  });
});

test("days and times", () => {
  const at = Date.UTC(2026, 10, 2, 9, 5, 7);
  expect(writeDateTime(at)).toBe(" 2-Nov-2026 09:05:07 +0000");
  expect(parseDateTime(writeDateTime(at))).toBe(at);
  expect(parseDateTime("02-Nov-2026 11:05:07 +0200")).toBe(at);
  expect(parseDay("2-nov-2026")).toBe(Date.UTC(2026, 10, 2));
  expect(parseDay("2-xyz-2026")).toBeUndefined();
});

describe("commands", () => {
  const values = (text: string) => parseValues(Buffer.from(text, "latin1"));

  test("atoms, strings, literals, lists, and sections with blanks in them", () => {
    expect(values('FETCH 1:* (FLAGS BODY.PEEK[HEADER.FIELDS (TO "x")]<0.9>) "a \\"b\\"" {3}\r\nx y')).toMatchObject([
      { text: "FETCH" },
      { text: "1:*" },
      { items: [{ text: "FLAGS" }, { text: 'BODY.PEEK[HEADER.FIELDS (TO "x")]<0.9>' }] },
      { bytes: Buffer.from('a "b"') },
      { bytes: Buffer.from("x y") },
    ]);
  });

  test.each(["(", ")", '"a', "{x}", "BODY[", `${"(".repeat(60)}${")".repeat(60)}`])("%s is not understood", (text) => {
    expect(() => values(text)).toThrow(SyntaxFault);
  });

  test("come whole, however they are cut on the way, literals too (property)", () => {
    const sent = 'a LOGIN {3}\r\nx\r\n {2+}\r\n"" (x)\r\nb NOOP\r\n';
    const lines = ['a LOGIN {3}\r\nx\r\n {2+}\r\n"" (x)', "b NOOP"];
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (cuts) => {
        const reader = new CommandReader();
        const read: string[] = [];
        let asked = 0;
        const take = () => {
          for (let next = reader.next(); next !== undefined; next = reader.next()) {
            if (next.kind === "literal") asked += 1;
            if (next.kind === "line") read.push(next.bytes.toString("latin1"));
          }
        };
        let at = 0;
        for (const length of [...cuts, sent.length]) {
          reader.push(Buffer.from(sent.slice(at, at + length)));
          at += length;
          take();
        }
        expect(read).toEqual(lines);
        expect(asked).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("one that never ends is not kept", () => {
    const reader = new CommandReader();
    reader.push(Buffer.alloc(2 * 1024 * 1024, "x"));
    expect(reader.next()).toEqual({ kind: "tooLong" });
    const large = new CommandReader();
    large.push(Buffer.from("a APPEND x {9999999999}\r\n"));
    expect(large.next()).toEqual({ kind: "tooLong" });
  });
});
