import { expect, test } from "vitest";
import { parseFeed } from "../../shared/scouts/connectors/feed/document/parse-feed.ts";
import { contentOf } from "../../shared/scouts/connectors/feed/item.ts";

const url = "https://news.example.org/feed";
const nowMs = Date.UTC(2026, 10, 27);

/** The first item of a feed, as its reader meets it. */
function shown(document: string) {
  const [item] = parseFeed(Buffer.from(document), "", url).items;
  if (!item) throw new Error("there is none");
  const { subject, sender, text, sourceLink } = contentOf(item, nowMs);
  const { name, address } = sender.reveal();
  return { subject: subject.reveal(), from: [name, address], text: text.reveal(), link: sourceLink?.reveal() };
}

const rss = (item: string) => `<rss><channel><title>News</title><item><guid>1</guid>${item}</item></channel></rss>`;
const atom = (entry: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><id>urn:1</id>${entry}</entry></feed>`;

test("what a film says of itself is read, with its lines: YouTube has it in a group of media alone", () => {
  const entry =
    "<title>Film</title><media:group><media:title>Film</media:title><media:description>One\nTwo &lt;3</media:description></media:group>";
  expect(shown(atom(entry)).text).toBe("One\nTwo <3");
  expect(shown(atom(`${entry}<summary>Own</summary>`)).text).toBe("Own");
  expect(shown(rss(`<title>Film</title>${entry}`)).text).toBe("One\nTwo <3");
});

test("what a podcast says of an episode is read, and leads to it where no page is named", () => {
  const episode = rss(
    '<title>Talk</title><enclosure url="https://cdn.example.org/1.mp3" type="audio/mpeg"/><itunes:summary>About bees.</itunes:summary>',
  );
  expect(shown(episode)).toMatchObject({ text: "About bees.", link: "https://cdn.example.org/1.mp3" });
  const paged = rss('<enclosure url="https://cdn.example.org/1.mp3"/><link>https://news.example.org/1</link>');
  expect(shown(paged).link).toBe("https://news.example.org/1");
});

test("a picture alone gives way to the words beside it", () => {
  const picture = '<content:encoded><![CDATA[<img src="https://news.example.org/1.png">]]></content:encoded>';
  expect(shown(rss(`<description>A cat, asleep</description>${picture}`)).text).toBe("A cat, asleep");
  const item = { id: "1", content_html: '<img src="1.png">', content_text: "A cat, asleep" };
  const json = { version: "https://jsonfeed.org/version/1.1", title: "News", items: [item] };
  expect(shown(JSON.stringify(json)).text).toBe("A cat, asleep");
});

test("content in an encoding for programs is no text", () => {
  const entry =
    '<title>Plan</title><content type="image/png">aGVsbG8=</content><summary>The plan of the house</summary>';
  expect(shown(atom(entry)).text).toBe("The plan of the house");
});

test("a text whose markup is not escaped keeps its lines", () => {
  expect(
    shown(rss("<title>A<br/>B</title><description><p>One</p><p>Two &amp; <b>three</b></p></description>")),
  ).toMatchObject({
    subject: "A B",
    text: "One\n\nTwo & three",
  });
  const mixed = "<description><![CDATA[<p>One</p><p>Two</p>]]><br/>&lt;p&gt;Three&lt;/p&gt;</description>";
  expect(shown(rss(mixed)).text).toBe("One\n\nTwo\n\nThree");
});

test("an author is who wrote it: no contributor, and no name with an address run into it", () => {
  const ann = "<author><name>Ann</name><email>ann@example.org</email></author>";
  expect(shown(atom(`<title>A</title><contributor><name>Bo</name></contributor>${ann}`)).from).toEqual(["Ann", ""]);
  expect(shown(atom("<title>A</title><contributor><name>Bo</name></contributor>")).from).toEqual(["News", ""]);
  expect(shown(rss(`<title>A</title>${ann}`)).from).toEqual(["Ann", ""]);
});

test.each([
  [
    "Atom",
    '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>News</a:title><a:entry><a:id>1</a:id><a:title>One</a:title><a:link href="1.html"/></a:entry></a:feed>',
  ],
  [
    "RSS 1.0",
    '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>News</title></channel><item r:about="1"><title>One</title><link>1.html</link></item></r:RDF>',
  ],
])("%s is read whatever prefix its names have", (_, document) => {
  expect(shown(document)).toMatchObject({
    subject: "One",
    from: ["News", ""],
    link: "https://news.example.org/1.html",
  });
  expect(parseFeed(Buffer.from(document), "", url)).toMatchObject({ complete: true, items: [{ identity: "id 1" }] });
});
