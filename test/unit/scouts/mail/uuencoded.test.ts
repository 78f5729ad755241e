import { expect, test } from "vitest";
import { contentOf } from "../../../../shared/scouts/connectors/gmail/message.ts";
import { partTreeOfSource } from "../../../../shared/scouts/connectors/imap/message/source-tree.ts";
import { letterOf } from "../../../../shared/scouts/connectors/mail/letter.ts";
import { message, plain } from "./parts.ts";

const textOf = (payload: Parameters<typeof message>[0]) => contentOf(message(payload)).text.reveal();
const filesOf = (payload: Parameters<typeof message>[0]) => contentOf(message(payload)).attachments?.reveal();

const encoded = (bytes: Buffer) => {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 45) {
    const some = bytes.subarray(at, at + 45);
    const bits = Buffer.concat([some, Buffer.alloc(2)]);
    let line = String.fromCharCode(32 + some.length);
    for (let from = 0; from < some.length; from += 3) {
      const three = bits.readUIntBE(from, 3);
      for (const shift of [18, 12, 6, 0]) line += String.fromCharCode(32 + ((three >> shift) & 63 || 64));
    }
    lines.push(line);
  }
  return lines.join("\r\n");
};

test("a file that an old program wrote into the text is named and not read", () => {
  const photo = Buffer.from(Array.from({ length: 1_000 }, (_, at) => (at * 7) % 256));
  const whole = `begin 644 bean rows.gif\r\n${encoded(photo)}\r\n\`\r\nend\r\n`;
  const payload = plain(`Here they are:\r\n\r\n${whole}\r\nYours, Bea`);
  expect(textOf(payload)).toBe("Here they are:\n\nYours, Bea");
  expect(filesOf(payload)).toEqual([{ name: "bean rows.gif", sizeBytes: 1_000 }]);
  const cut = plain(`Here.\r\n${whole.slice(0, 700)}`);
  expect(textOf(cut), "one that is cut off").toBe("Here.");
  expect(filesOf(cut)?.map(({ name }) => name)).toEqual(["bean rows.gif"]);
  for (const letter of [
    "begin 644 party\nMEET ME AT NOON\nend",
    "begin 644 words\nend",
    `begin with the beds\n${encoded(photo)}`,
    `begin 644 a.gif\n${encoded(photo)}\nPAY THE BILL\nend`,
  ]) {
    expect(textOf(plain(letter))).toBe(letter.replaceAll("\r", ""));
    expect(filesOf(plain(letter)) ?? []).toEqual([]);
  }
});

test("nothing silent: a letter that an old program sent in uuencode is read", () => {
  const letter = "The beans are up, \u00a33 a bag.\n".repeat(9).trim();
  const lines = encoded(Buffer.from(letter));
  const textOfSource = (encoding: string, body: string) => {
    const head = `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
    return letterOf(partTreeOfSource(Buffer.from(head + body))).text;
  };
  for (const encoding of ["x-uuencode", "X-UUE", "uuencode"]) {
    expect(textOfSource(encoding, `begin 644 letter.txt\r\n${lines}\r\n\`\r\nend\r\n`), encoding).toBe(letter);
  }
  // The last line says how many bytes it has, and does not have them.
  const cut = textOfSource("x-uuencode", `begin 644 letter.txt\r\n${lines.slice(0, -20)}`);
  expect(letter.startsWith(cut) && cut.length > 150, "one that is cut off").toBe(true);
  expect(textOfSource("x-uuencode", "No file at all."), "one that is not what it says").toBe("No file at all.");
});
