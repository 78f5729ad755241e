import { expect, test } from "vitest";
import { givenText } from "../../../device/work/given-text.ts";

const calendar = "BEGIN:VCALENDAR\r\nSUMMARY:Café für 東京 🎉\r\nEND:VCALENDAR\r\n";

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

/** Folded before every byte of a line but its first, as a program does that counts octets. */
const foldedAtEachByte = (text: string, fold: string) =>
  Buffer.concat(
    [...Buffer.from(text)].map((byte) =>
      byte >= 0x80 && byte <= 0xbf ? Buffer.from([...Buffer.from(fold), byte]) : Buffer.from([byte]),
    ),
  );

test.each([
  ["UTF-8", Buffer.from(calendar)],
  ["UTF-8 with its mark", Buffer.from(`\ufeff${calendar}`)],
  ["UTF-16, least byte first", utf16(calendar)],
  ["UTF-16, most byte first", utf16(calendar).swap16()],
  ["UTF-8, folded within its characters", foldedAtEachByte(calendar, "\r\n ")],
  ["UTF-8, folded within its characters by a tab", foldedAtEachByte(calendar, "\n\t")],
])("a file of tasks or events is read in %s, none of its letters lost", (_, bytes) => {
  expect(givenText(bytes)).toBe(calendar);
});

test("what is neither is refused, not read with marks of loss", () => {
  expect(() => givenText(Buffer.from("Caf\xe9", "latin1"))).toThrow(TypeError);
  expect(() => givenText(Buffer.from([0xff, 0xfe, 0x00, 0xd8]))).toThrow(TypeError);
});
