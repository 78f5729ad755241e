import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEnvironment } from "../../../cli/environment.ts";
import { runCommand } from "../../../cli/program.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { givenText } from "../../../device/work/given-text.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder } from "../setting.ts";

const calendar = "BEGIN:VCALENDAR\r\nSUMMARY:Café für 東京 🎉\r\nEND:VCALENDAR\r\n";
const oneEvent =
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261201T100000Z\r\nSUMMARY:Café 東京\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

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

test("scouts event import reads such files", async () => {
  const folder = temporaryFolder();
  openDeviceStore({ dataFolder: folder, ...systemTimeAndIds }).close();
  writeFileSync(join(folder, "a.ics"), utf16(oneEvent));
  writeFileSync(join(folder, "b.ics"), foldedAtEachByte(oneEvent.replace("UID:1", "UID:2"), "\r\n "));
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: folder, ...systemTimeAndIds };

  for (const file of ["a.ics", "b.ics"]) {
    const code = await runCommand(["event", "import", file, "--data", folder], context, "1.2.3");
    expect({ code, stderr: stderr.written }).toEqual({ code: 0, stderr: "" });
  }
  await runCommand(["event", "list", "--data", folder], context, "1.2.3");

  expect(stdout.written.match(/Café 東京/g)).toHaveLength(2);
});
