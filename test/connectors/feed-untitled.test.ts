import { expect, test } from "vitest";
import { parseFeed } from "../../shared/scouts/connectors/feed/document/parse-feed.ts";
import { contentOf } from "../../shared/scouts/connectors/feed/item.ts";

const url = "https://news.example.org/feed";
const nowMs = Date.UTC(2026, 10, 27);

/** The first item of a feed, as its reader meets it in a list. */
function listed(document: string): { subject: string; sender: string; address: string } {
  const [item] = parseFeed(Buffer.from(document), "", url).items;
  if (!item) throw new Error("there is none");
  const { subject, sender } = contentOf(item, nowMs);
  return { subject: subject.reveal(), sender: sender.reveal().name, address: sender.reveal().address };
}

const rss = (item: string) => `<rss><channel><title>Ada &amp;amp; Bob</title><item>${item}</item></channel></rss>`;

test("an item without a title, as those of short messages, is called by how it begins", () => {
  const body =
    "&lt;p&gt;The bridge is closed until Friday, &lt;b&gt;says&lt;/b&gt; the council.&lt;/p&gt;&lt;p&gt;More.&lt;/p&gt;";
  const { subject } = listed(rss(`<description>${body}</description>`));
  expect(subject).toBe("The bridge is closed until Friday, says the council.");
  const long = listed(rss(`<description>${"word ".repeat(200)}</description>`)).subject;
  expect(long).toMatch(/^(?:word )+word…$/);
  expect(long.length).toBeLessThanOrEqual(100);
  expect(listed(rss(`<title>Own</title><description>${body}</description>`)).subject).toBe("Own");
  expect(listed(rss("<link>https://news.example.org/1</link>")).subject).toBe("");
});

test("an item that names no author is from its feed, so that its reader knows of which it is", () => {
  expect(listed(rss("<title>One</title>"))).toMatchObject({ sender: "Ada & Bob", address: "" });
  expect(listed(rss("<title>One</title><author>ada@example.org</author>"))).toMatchObject({
    ...{ sender: "", address: "ada@example.org" },
  });
  const json = { version: "https://jsonfeed.org/version/1.1", title: "<3 News", items: [{ id: "1", title: "One" }] };
  expect(listed(JSON.stringify(json))).toMatchObject({ sender: "<3 News" });
  expect(listed(JSON.stringify({ ...json, title: "", items: json.items }))).toMatchObject({ sender: "" });
});
