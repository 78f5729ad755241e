import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { threadRef } from "../../../../events/ids.ts";
import type { HeaderField } from "../../../../shared/scouts/connectors/mail/part.ts";
import { threadRefOf } from "../../../../shared/scouts/connectors/mail/thread.ts";

const key = new Uint8Array(32).fill(7);
const other = new Uint8Array(32).fill(8);

const headers = (fields: Readonly<Record<string, string>>): HeaderField[] =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));
const refOf = (fields: Readonly<Record<string, string>>, by = key) => threadRefOf(by, headers(fields));

/** Message-IDs as programs make them. */
const id = fc
  .tuple(fc.stringMatching(/^[\w.+=$-]{1,40}$/), fc.stringMatching(/^[a-z0-9.-]{1,30}$/))
  .map(([left, right]) => `${left}@${right}`);

describe("a conversation has one reference", () => {
  test("every answer in it has that of its beginning, however long it goes on (property)", () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 20 }), (ids) => {
        const refs = ids.map((each, index) =>
          refOf({
            "Message-ID": `<${each}>`,
            ...(index === 0 ? {} : { "In-Reply-To": `<${ids[index - 1]}>` }),
            ...(index === 0
              ? {}
              : {
                  References: ids
                    .slice(0, index)
                    .map((before) => `<${before}>`)
                    .join("\r\n "),
                }),
          }),
        );
        expect(new Set(refs).size).toBe(1);
      }),
    );
  });

  test("two beginnings are two conversations (property)", () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 2 }), ([one, two]) => {
        expect(refOf({ "Message-ID": `<${one}>` })).not.toBe(refOf({ "Message-ID": `<${two}>` }));
      }),
    );
  });

  test("P1: it is another for every key, says nothing of the id, and is what a frame takes (property)", () => {
    fc.assert(
      fc.property(id, (each) => {
        const ref = refOf({ "Message-ID": `<${each}>` }) ?? "";
        expect(ref).not.toBe(refOf({ "Message-ID": `<${each}>` }, other));
        expect(ref).toHaveLength(44);
        expect(threadRef.safeParse(ref).error).toBeUndefined();
        for (const part of each.split(/[@.]/).filter(({ length }) => length > 6)) expect(ref).not.toContain(part);
      }),
    );
  });

  test.each([
    ["the first of References", { References: "<root@a> <b@a>", "In-Reply-To": "<b@a>", "Message-ID": "<c@a>" }],
    ["References over several lines", { References: "\r\n\t<root@a>\r\n <b@a>", "Message-ID": "<c@a>" }],
    ["an id that was folded", { References: "<ro\r\n ot@a> <b@a>" }],
    ["In-Reply-To where there are no References", { "In-Reply-To": "<root@a>", "Message-ID": "<c@a>" }],
    ["In-Reply-To with words around it", { "In-Reply-To": "Your mail of Monday <root@a>", "Message-ID": "<c@a>" }],
    ["References that are none", { References: "none", "In-Reply-To": "<root@a>" }],
    ["References of nothing", { References: "<> <b@a>", "In-Reply-To": "<root@a>" }],
    ["its own id where it answers nothing", { "Message-ID": " <root@a> (by hand)" }],
  ])("the root is %s", (_name, fields) => {
    expect(refOf(fields)).toBe(refOf({ "Message-ID": "<root@a>" }));
  });

  test.each([
    ["no ids", {}],
    ["ids without brackets", { "Message-ID": "root@a", References: "root@a" }],
    ["an id of 100,000 characters", { "Message-ID": `<${"x".repeat(100_000)}@a>` }],
    ["100,000 opening brackets", { References: "<".repeat(100_000) }],
  ])("a mail with %s stands alone", (_name, fields) => {
    expect(refOf(fields)).toBeUndefined();
  });

  test("any header gives a reference a frame takes, or none (property)", () => {
    const value = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(fc.record({ References: value, "In-Reply-To": value, "Message-ID": value }), (fields) => {
        const ref = refOf(fields);
        expect(ref === undefined || threadRef.safeParse(ref).success).toBe(true);
      }),
    );
  });
});
