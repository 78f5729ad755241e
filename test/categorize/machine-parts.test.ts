import { expect, test } from "vitest";
import { machinePartsOf } from "../../shared/scouts/connectors/mail/machine-parts.ts";
import type { MailPart } from "../../shared/scouts/connectors/mail/part.ts";

const part = (mimeType: string, text: string, parts: readonly MailPart[] = []): MailPart => ({
  mimeType,
  fileName: "",
  headers: [],
  sizeBytes: text.length,
  text: (most) => text.slice(0, most),
  parts,
});
const mixed = (...parts: readonly MailPart[]) => part("multipart/mixed", "", parts);

test("calendar parts and JSON-LD are found wherever they lie, as they are written, the same once", () => {
  const html = `<p>Hi</p><SCRIPT type="application/ld+json">{"a":1}</SCRIPT><script>alert(1)</script>`;
  const root = mixed(
    part("text/html", html),
    mixed(part("text/calendar", "BEGIN:A")),
    part("application/ics", "BEGIN:A"),
  );
  expect(machinePartsOf(root)).toEqual({ calendars: ["BEGIN:A"], linkedData: ['{"a":1}'] });
});

test("an attached message's are its own", () => {
  const inner = part("message/rfc822", "", [part("text/calendar", "BEGIN:A")]);
  expect(machinePartsOf(mixed(inner))).toEqual({ calendars: [], linkedData: [] });
});

test("what never ends, is too long, or comes too often is left out", () => {
  const open = `<script type="application/ld+json">`;
  const hostile = [
    `${open}{"never":"ends"`,
    open.repeat(20_000),
    "<script ".repeat(100_000),
    `${open}${"x".repeat(100_001)}</script>`,
  ];
  for (const html of hostile) expect(machinePartsOf(part("text/html", html)).linkedData).toEqual([]);
  expect(machinePartsOf(part("text/html", `${open}{}</script>`.repeat(50))).linkedData).toHaveLength(5);
  expect(machinePartsOf(part("text/calendar", "x".repeat(100_001))).calendars).toEqual([]);
  const many = Array.from({ length: 50 }, (_, at) => part("text/calendar", `BEGIN:${at}`));
  expect(machinePartsOf(mixed(...many)).calendars).toHaveLength(3);
});
