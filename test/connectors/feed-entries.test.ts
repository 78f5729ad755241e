import { describe, expect, test } from "vitest";
import { maxEntries } from "../../shared/scouts/connectors/feed/document/feed.ts";
import { parseFeed } from "../../shared/scouts/connectors/feed/document/parse-feed.ts";

const parsed = (document: string) => parseFeed(Buffer.from(document), "application/xml", "https://example.org/feed");
const version = "https://jsonfeed.org/version/1.1";

const tooLarge = expect.objectContaining({ code: "source_too_large" });

describe.each([
  ["RSS", (count: number) => `<rss><channel>${"<item><guid>1</guid></item>".repeat(count)}</channel></rss>`],
  ["Atom", (count: number) => `<feed>${"<entry><id>1</id></entry>".repeat(count)}</feed>`],
  ["JSON", (count: number) => JSON.stringify({ version, items: Array.from({ length: count }, () => ({ id: "1" })) })],
])("a feed in %s", (_, feedOf) => {
  test("of as many entries as are read is read", () => {
    expect(parsed(feedOf(maxEntries)).complete).toBe(true);
  });

  test("of more is told as longer than anything that is read, and not as one that cannot be", () => {
    expect(() => parsed(feedOf(10 * maxEntries))).toThrow(tooLarge);
    expect(() => parsed(feedOf(maxEntries + 1))).toThrow(tooLarge);
  });
});
