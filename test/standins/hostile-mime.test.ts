import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, clientOf, message, openMailbox, watchAll } from "./mailbox-fixture.ts";

afterEach(cleanUp);

const parts = (count: number, nest: boolean) => {
  const lines = ["Subject: many parts", 'Content-Type: multipart/mixed; boundary="b0"', ""];
  for (let n = 0; n < count; n++) {
    lines.push(
      nest ? `--b${n}` : "--b0",
      `Content-Type: ${nest ? `multipart/mixed; boundary="b${n + 1}"` : "text/plain"}`,
      "",
      "x",
    );
  }
  return Buffer.from(lines.join("\r\n"));
};

describe("hostile mail in the mailbox stand-in", () => {
  it.each<[string, () => Buffer]>([
    ["10,000 parts", () => parts(10_000, false)],
    ["2,000 levels", () => parts(2_000, true)],
    ["a header without end", () => Buffer.from(`Subject: x\r\nX-Long: ${"a".repeat(3_000_000)}`)],
    [
      "5 million encoded words' worth of header",
      () => Buffer.from(`Subject: ${"=?utf-8?q?a?= ".repeat(20_000)}\r\n\r\nx`),
    ],
    ["an unknown charset", () => message("x", "caf\u00e9", "Content-Type: text/plain; charset=x-nonsense-42\r\n")],
    [
      "a charset that is a prototype's name",
      () => message("x", "y", "Content-Type: text/plain; charset=__proto__\r\n"),
    ],
    ["no header at all", () => Buffer.from("\r\n\r\njust text")],
    ["nothing but zero bytes", () => Buffer.alloc(10_000)],
    ["10 MB on one line", () => message("x", "y".repeat(10_000_000))],
    ["a bomb of tags", () => message("x", "<div>".repeat(200_000), "Content-Type: text/html\r\n")],
  ])("%s is answered in every format", async (_name, make) => {
    const mailbox = await openMailbox();
    const client = clientOf(mailbox);
    const id = mailbox.deliver(make());
    await watchAll(mailbox, client);
    for (const format of ["full", "metadata", "raw", "minimal"]) {
      expect((await client.users.messages.get({ userId: "me", id, format })).status).toBe(200);
    }
  });
});
