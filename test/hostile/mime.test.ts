import { expect, test } from "vitest";
import { contentOf } from "../../shared/scouts/connectors/gmail/message.ts";

test("a text that is named like a file is read when there is no other: a name hides nothing from a verdict", () => {
  const part = (text: string, filename: string) => ({
    mimeType: "text/plain",
    filename,
    body: { data: Buffer.from(text).toString("base64url") },
  });
  const textOf = (payload: Parameters<typeof contentOf>[0]["payload"]) =>
    contentOf({ id: "1", ...(payload && { payload }) }).text.reveal();
  expect(textOf(part("Buy now", "a.txt"))).toBe("Buy now");
  const both = { mimeType: "multipart/mixed", parts: [part("An attachment", "a.txt"), part("The letter", "")] };
  expect(textOf(both)).toBe("The letter");
});
