import { expect, test } from "vitest";
import { nameAfterTitle, nameFor } from "../../device/sources/names.ts";
import { type ScoutResponse, scoutResponse } from "../../events/http/scouts.ts";
import sample from "../../events/samples/http.scoutResponse.json" with { type: "json" };

const called = (...names: string[]): ScoutResponse[] => names.map((name) => scoutResponse.parse({ ...sample, name }));
const feed = (url: string, others: ScoutResponse[] = []) => nameFor({ source: "feed", settings: { url } }, others);

test.each([
  ["https://www.example.org/blog/feed.xml", "example.org/blog/feed.xml"],
  ["https://example.org/", "example.org"],
  ["https://example.org/news/?key=s3cret", "example.org/news"],
])("a feed without a title is called after host and path, never after what may be a key: %s", (url, name) => {
  expect(feed(url)).toBe(name);
});

test("two feeds of a host have two names, and the same name again has a number", () => {
  expect(feed("https://example.org/b.xml", called("example.org/a.xml"))).toBe("example.org/b.xml");
  expect(feed("https://example.org/b.xml", called("example.org/b.xml"))).toBe("example.org/b.xml 2");
});

test("a feed is called after its title where it has one", () => {
  const url = "https://example.org/feed";
  expect(nameAfterTitle("The Gazette", url, [])).toBe("The Gazette");
  expect(nameAfterTitle("The Gazette", url, called("the gazette"))).toBe("The Gazette 2");
  expect(nameAfterTitle("example.org", url, []), "none of its own").toBeNull();
  expect(nameAfterTitle("x".repeat(200), url, [])).toHaveLength(75);
});
