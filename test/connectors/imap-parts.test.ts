import { describe, expect, test } from "vitest";
import { partTreeOf, textParts } from "../../shared/scouts/connectors/imap/message/structure.ts";
import { letterOf } from "../../shared/scouts/connectors/mail/letter.ts";
import { machinePartsOf } from "../../shared/scouts/connectors/mail/machine-parts.ts";

const html = "<p>Answer by Friday.</p>";

describe("the texts that are asked for of a message", () => {
  test("an empty version, or one whose size nobody told, leaves the others their share", () => {
    const two = (plain: { readonly size?: number }) => ({
      type: "multipart/alternative",
      childNodes: [
        { part: "1", type: "text/plain", ...plain },
        { part: "2", type: "text/html", size: html.length },
      ],
    });
    // The library says 0 for what a server says is NIL.
    for (const plain of [{ size: 0 }, {}]) {
      expect(textParts(two(plain), 1_000)).toEqual([
        { key: "1", start: 0, maxLength: 1_000 - html.length },
        { key: "2", start: 0, maxLength: html.length },
      ]);
    }
    const read = new Map([
      ["1", Buffer.from("")],
      ["2", Buffer.from(html)],
    ]);
    expect(letterOf(partTreeOf(two({ size: 0 }), [], read))).toEqual({ text: "Answer by Friday.", attachments: [] });
  });

  test.each(["text/calendar", "application/ics"])(
    "a calendar is one that comes as a file (%s); other files are none",
    (type) => {
      const source = "BEGIN:VCALENDAR";
      const file = (of: string, size: number, part: string) => ({ type: of, size, part, disposition: "attachment" });
      const root = {
        type: "multipart/mixed",
        childNodes: [
          { part: "1", type: "text/plain", size: 2 },
          { ...file(type, source.length, "2"), dispositionParameters: { filename: "invite.ics" } },
          file("text/plain", 10, "3"),
          file(type, 5_000_000, "4"),
        ],
      };
      expect(textParts(root, 1_000).map(({ key }) => key)).toEqual(["1", "2"]);
      const read = new Map([
        ["1", Buffer.from("Hi")],
        ["2", Buffer.from(source)],
      ]);
      const tree = partTreeOf(root, [], read);
      expect(machinePartsOf(tree).calendars).toEqual([source]);
      // It is named like any other, and no part of the letter.
      const letter = letterOf(tree);
      expect(letter.text).toBe("Hi");
      expect(letter.attachments.map(({ name }) => name)).toContain("invite.ics");
    },
  );

  test("nothing silent: a letter says that it goes on where no more of it is read, and only there", () => {
    const root = { type: "text/plain", size: 500 };
    const letter = (size: number) => letterOf(partTreeOf(root, [], new Map([["1", Buffer.alloc(size, "a")]])));
    expect(letter(499).isCut).toBe(true);
    expect(letter(500)).not.toHaveProperty("isCut");
    // Lines are put together in transit, and an end is added to them.
    expect(letter(502)).not.toHaveProperty("isCut");
  });

  test("a file whose disposition names it with nothing has the name of its type", () => {
    const file = {
      type: "application/pdf",
      size: 8,
      disposition: "attachment",
      dispositionParameters: { filename: "" },
      parameters: { name: "minutes.pdf" },
    };
    expect(letterOf(partTreeOf(file, [], new Map())).attachments.map(({ name }) => name)).toEqual(["minutes.pdf"]);
  });

  test("a text is in the charset its server tells, also one of older programs", () => {
    const root = { type: "text/plain", size: 9, parameters: { charset: "cp437" } };
    const tree = partTreeOf(root, [], new Map([["1", Buffer.from("M\x81ller", "latin1")]]));
    expect(letterOf(tree).text).toBe("Müller");
  });

  test("all of them together are no more than is read of one message", () => {
    const long = { type: "text/plain", size: 900 };
    const root = {
      type: "multipart/mixed",
      childNodes: [
        { ...long, part: "1" },
        { ...long, part: "2" },
        { ...long, part: "3" },
      ],
    };
    expect(textParts(root, 1_000).map(({ maxLength }) => maxLength)).toEqual([900, 100]);
    // One that is alone may be all of it.
    expect(textParts({ type: "text/plain" }, 1_000)).toEqual([{ key: "1", start: 0, maxLength: 1_000 }]);
  });
});
