import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import { parseFeed } from "../../shared/scouts/connectors/feed/document/parse-feed.ts";
import { contentOf } from "../../shared/scouts/connectors/feed/item.ts";
import { senderLine } from "../../shared/scouts/connectors/metadata.ts";

const nowMs = Date.parse("2026-11-20T09:00:00Z");
const address = "https://example.org/blog/feed";

/** A feed's items as triage reads them. */
function read(document: string | Buffer, contentType = "application/xml") {
  const body = Buffer.isBuffer(document) ? document : Buffer.from(document);
  return parseFeed(body, contentType, address).items.map((item) => {
    const { subject, sender, text, receivedAtMs } = contentOf(item, nowMs);
    const [title, from, body] = [subject.reveal(), senderLine(sender.reveal()), text.reveal()];
    return { identity: item.identity, title, from, text: body, at: new Date(receivedAtMs).toISOString() };
  });
}
const unreadable = (document: string) => {
  try {
    parseFeed(Buffer.from(document), "application/xml", address);
    return "readable";
  } catch (error) {
    if (isScoutsError(error)) return error.code;
    throw error;
  }
};
const rss = (items: string) => `<rss version="2.0"><channel><title>News</title>${items}</channel></rss>`;

describe("feeds as they are written", () => {
  test("RSS 2.0, with the full text, the author and an odd date", () => {
    const [item] = read(
      rss(`<item><title>AT&amp;amp;T &lt;b&gt;wins&lt;/b&gt;</title><link>https://example.org/1</link>
        <guid>tag:1</guid><pubDate>Thu, 19 Nov 2026 10:00:00 EST</pubDate><dc:creator>Ada</dc:creator>
        <description>short</description>
        <content:encoded><![CDATA[<p>The <i>whole</i> text.</p><p hidden>Ignore this</p>]]></content:encoded></item>`),
    );
    expect(item).toEqual({
      identity: "id tag:1",
      title: "AT&T wins",
      from: "Ada",
      text: "The whole text.",
      at: "2026-11-19T15:00:00.000Z",
    });
  });

  test("Atom: text, html and xhtml, the alternate link, the author's name", () => {
    const items = read(`<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><author><name>Feed</name></author>
      <entry><id>urn:1</id><link rel="self" href="https://example.org/self"/><link href="https://example.org/1"/>
        <title type="text">1 &lt; 2</title><author><name>Ada</name><email>a@example.org</email></author>
        <updated>2026-11-19T10:00:00Z</updated>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One</p><p style="display:none">Two</p></div></content></entry>
      <entry><link rel="alternate" href="https://example.org/2"/><title type="html">&lt;em&gt;Hi&lt;/em&gt;</title>
        <summary>plain &lt;b&gt;</summary></entry></feed>`);
    expect(items).toEqual([
      { identity: "id urn:1", title: "1 < 2", from: "Ada", text: "One", at: "2026-11-19T10:00:00.000Z" },
      {
        identity: "link https://example.org/2",
        title: "Hi",
        from: "F",
        text: "plain <b>",
        at: "2026-11-20T09:00:00.000Z",
      },
    ]);
  });

  test("an item says where it can be read, when it was written, and an author's address", () => {
    const document = rss(`<item><title>1</title><link>https://example.org/1</link><author>ada@example.org (Ada)</author>
      <pubDate>Thu, 17 Dec 2026 10:00:00 GMT</pubDate></item><item><title>2</title><link>javascript:x</link></item>`);
    const [dated, bare] = parseFeed(Buffer.from(document), "text/xml", address).items.map((item) =>
      contentOf(item, nowMs),
    );
    expect(dated?.sourceLink?.reveal()).toBe("https://example.org/1");
    expect(dated?.sender.reveal()).toEqual({ name: "Ada", address: "ada@example.org" });
    expect(dated).toMatchObject({ sentAt: Date.UTC(2026, 11, 17, 10), receivedAtMs: nowMs, relation: "unknown" });
    expect(bare?.sourceLink).toBeUndefined();
    expect(bare?.sentAt).toBeUndefined();
  });

  describe("a link that is relative leads where it is meant, and its item stays what it is", () => {
    const linksOf = (document: string) =>
      parseFeed(Buffer.from(document), "application/xml", address).items.map((item) => [
        contentOf(item, nowMs).sourceLink?.reveal(),
        item.identity,
      ]);

    test("Atom, by xml:base of the feed, of the entry and of the link itself, each by the one around it", () => {
      const entry = (more: string, link: string) => `<entry${more}><link ${link}/></entry>`;
      const feed = (base: string, entries: string) => `<feed${base}><title>F</title>${entries}</feed>`;
      const entries = [
        entry("", 'href="e0.html"'),
        entry(' xml:base="2026/"', 'href="e1.html"'),
        entry(' xml:base="2026/"', 'xml:base="/x/" href="e2.html"'),
        entry(' xml:base="javascript:alert(1)"', 'href="e3.html"'),
        entry("", 'href="//other.example/e4.html"'),
        entry("", 'href="https://example.com/e5.html"'),
        entry("", 'href="javascript:alert(1)"'),
      ];
      expect(linksOf(feed(' xml:base="https://cdn.example/news/"', entries.join("")))).toEqual([
        ["https://cdn.example/news/e0.html", "link e0.html"],
        ["https://cdn.example/news/2026/e1.html", "link e1.html"],
        ["https://cdn.example/x/e2.html", "link e2.html"],
        ["https://cdn.example/news/e3.html", "link e3.html"],
        ["https://other.example/e4.html", "link //other.example/e4.html"],
        ["https://example.com/e5.html", "link https://example.com/e5.html"],
        [undefined, "link javascript:alert(1)"],
      ]);
      expect(linksOf(feed("", entry("", 'href="e0.html"')))).toEqual([
        ["https://example.org/blog/e0.html", "link e0.html"],
      ]);
    });

    test("RSS, by xml:base and by the feed's address; what was set in an item before does not stay", () => {
      const items = `<item xml:base="https://cdn.example/"><link> a </link></item><item><guid>b</guid><link>/b</link></item><item><title>c</title></item>`;
      expect(linksOf(rss(items))).toEqual([
        ["https://cdn.example/a", "link a"],
        ["https://example.org/b", "id b"],
        [undefined, "text \nc\n"],
      ]);
    });

    test("JSON Feed", () => {
      const items = [{ id: "0", url: "/j/0" }, { id: "1", url: "j/1" }, { id: "2" }];
      expect(linksOf(JSON.stringify({ version: "https://jsonfeed.org/version/1.1", items }))).toEqual([
        ["https://example.org/j/0", "id 0"],
        ["https://example.org/blog/j/1", "id 1"],
        [undefined, "id 2"],
      ]);
    });

    test("without a link it is the guid's address, unless that says it is none (RSS 2.0), and JSON Feed's external_url", () => {
      const items = `<item><guid>https://example.org/1</guid></item><item><guid isPermaLink="false">https://example.org/2</guid></item>
        <item><guid isPermaLink="true">https://example.org/3</guid><link>/three</link></item><item><guid>tag:4</guid></item>`;
      expect(linksOf(rss(items)).map(([link]) => link)).toEqual([
        "https://example.org/1",
        undefined,
        "https://example.org/three",
        undefined,
      ]);
      const entries = [{ id: "5", external_url: "https://example.com/5" }];
      expect(linksOf(JSON.stringify({ version: "https://jsonfeed.org/version/1.1", items: entries }))).toEqual([
        ["https://example.com/5", "id 5"],
      ]);
    });
  });

  test("P2: items without guid that all lead to one page are told apart by what they say; twins are one", () => {
    const item = (words: string) => `<item><title>${words}</title><link>https://example.org/status</link></item>`;
    expect(read(rss(item("down") + item("up") + item("up"))).map(({ title }) => title)).toEqual(["down", "up"]);
    const [only] = read(rss(item("down")));
    expect(only?.identity).toBe("link https://example.org/status");
  });

  test("P2: items that share a guid, and lead to other pages under other titles, are told apart by where they lead", () => {
    const item = (words: string, link = `<link>/${words}</link>`) =>
      `<item><guid isPermaLink="false">https://example.org/</guid><title>${words}</title>${link}</item>`;
    const links = ["link https://example.org/first", "link https://example.org/second"];
    expect(read(rss(item("first") + item("second"))).map(({ identity }) => identity)).toEqual(links);
    // One that is listed twice, by other ways to it or under another title, is one.
    const own = "<item><guid>tag:1</guid><title>third</title><link>/third</link></item>";
    const twice = [own.replace("/third<", "/third?from=feed<"), own.replace("<title>third", "<title>Updated: third")];
    for (const again of twice) expect(read(rss(own + again)).map(({ identity }) => identity)).toEqual(["id tag:1"]);
    // What leads nowhere is known by what it says beside them.
    expect(read(rss(item("first") + item("second") + item("fourth", "") + item("fifth", "")))).toHaveLength(4);
  });

  test("RDF (RSS 1.0): the item's address is its id", () => {
    const [item] = read(`<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><title>C</title></channel>
      <item rdf:about="https://example.org/1"><title>One</title><link>https://example.org/1</link>
      <description>Text</description><dc:date>2026-11-18T00:00:00Z</dc:date></item></rdf:RDF>`);
    expect(item).toMatchObject({ identity: "id https://example.org/1", title: "One", text: "Text" });
  });

  test("JSON Feed, whatever is missing or of another type", () => {
    const feed = {
      version: "https://jsonfeed.org/version/1",
      items: [
        { id: 7, title: null, content_text: "Seven", author: { name: "Ada" } },
        { url: "https://example.org/8", title: "Eight", content_html: "<p>8</p>", date_published: "never" },
        "not an item",
      ],
    };
    expect(read(JSON.stringify(feed), "application/json")).toMatchObject([
      { identity: "id 7", title: "Seven", text: "Seven", from: "Ada" },
      { identity: "link https://example.org/8", title: "Eight", text: "8" },
    ]);
  });

  test("an item without guid and link is known by what it says; twins are one", () => {
    const item = "<item><title>Same</title><description>words</description></item>";
    const other = "<item><title>Same</title><description>other words</description></item>";
    expect(read(rss(item + item + other))).toHaveLength(2);
    expect(read(rss("<item><guid>1</guid></item><item><guid> 1 </guid><title>again</title></item>"))).toHaveLength(1);
  });

  test("an id and a link that read the same are not the same item", () => {
    expect(read(rss("<item><guid>x</guid></item><item><link>x</link></item>"))).toHaveLength(2);
  });

  test.each([
    ["windows-1252 by its media type", Buffer.from("caf\xe9", "latin1"), "text/xml; charset=windows-1252"],
    ["utf-8", Buffer.from("café"), "text/xml"],
    ["an unknown charset, which counts as UTF-8", Buffer.from("café"), "text/xml; charset=klingon"],
  ])("%s", (_name, word, contentType) => {
    const document = Buffer.concat([Buffer.from("<rss><item><title>"), word, Buffer.from("</title></item></rss>")]);
    expect(read(document, contentType)[0]?.title).toBe("café");
  });

  test("the encoding of the XML declaration, and UTF-16 by its mark", () => {
    const declared = `<?xml version="1.0" encoding="ISO-8859-2"?><rss><item><title>\xb1</title></item></rss>`;
    expect(read(Buffer.from(declared, "latin1"), "text/xml")[0]?.title).toBe("ą");
    const wide = Buffer.from("\ufeff<rss><item><title>ą</title></item></rss>", "utf16le");
    expect(read(wide, "text/xml")[0]?.title).toBe("ą");
  });
});

describe("feeds whose servers and programs say another charset than theirs", () => {
  const title = "Новости проекта за четверг";
  const body = "Уважаемые читатели, отчёт за третий квартал готов.";
  const document = (declaration: string) =>
    `${declaration}<rss version="2.0"><channel><title>x</title><item><guid>1</guid><title>${title}</title><description>${body}</description></item></channel></rss>`;
  const declared = '<?xml version="1.0" encoding="windows-1251"?>';

  test.each([
    ["nothing says one", "win1251", "", "text/xml"],
    ["the server says UTF-8 of all it has, the document its own", "win1251", declared, "text/xml; charset=utf-8"],
    [
      "the server says Latin-1 of all it has, the document its own",
      "win1251",
      declared,
      "text/xml; charset=ISO-8859-1",
    ],
    ["the server says Latin-1, and the document nothing", "koi8-r", "", "text/xml; charset=ISO-8859-1"],
    ["the server says Latin-1 of what is UTF-8", "utf8", "", "text/xml; charset=ISO-8859-1"],
    ["the document says windows-1251 of what is UTF-8", "utf8", declared, "text/xml"],
    ["the document says UTF-8 and is not", "win1251", '<?xml version="1.0" encoding="UTF-8"?>', "text/xml"],
  ])("%s", (_name, encoding, declaration, contentType) => {
    const [item] = read(iconv.encode(document(declaration), encoding), contentType);
    expect(item).toMatchObject({ title, text: body });
  });

  test("a byte that is broken in UTF-8 makes it no other", () => {
    const [start = "", end = ""] = document("").split("<description>");
    const broken = Buffer.concat([Buffer.from(`${start}<description>`), Buffer.from([0xd0]), Buffer.from(end)]);
    expect(read(broken, "text/xml")[0]?.title).toBe(title);
  });
});

describe("hostile feeds", () => {
  test("declared entities are not expanded: there is no billion laughs", () => {
    const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join("");
    const bomb = `<!DOCTYPE rss [<!ENTITY e0 "ha">${entities}<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
    const [item] = read(`${bomb}${rss("<item><title>&e9;</title><description>&x; &amp;lt;</description></item>")}`);
    expect(item?.title).toBe("&e9;");
    expect(item?.text).toBe("&x; <");
  });

  test.each([
    ["nothing", ""],
    ["JSON of another kind", '{"error": "no such feed"}'],
    ["broken JSON", '{"version": "https://jsonfeed.org/version/1", "items": ['],
    ["a million open elements", `<rss>${"<a>".repeat(1_000_000)}`],
    ["a million levels of JSON", `{"version":${"[".repeat(1_000_000)}`],
  ])("%s is source_unreadable", (_name, document) => {
    expect(unreadable(document)).toBe("source_unreadable");
  });

  test.each([
    "<html><body>We will be back soon.</body></html>",
    "\uFEFF\n<!-- made by a server --><!DOCTYPE html>\n<html lang=en><p>404",
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html/>',
  ])("a web page is told as one: %s", (document) => {
    expect(unreadable(document)).toBe("source_no_feed");
  });

  test("what only begins like a page is looked through once", () => {
    const startedAt = performance.now();
    for (const start of ["\uFEFF", "<!-- ", "<!---->", "<?xml ?>", "<!doctype "]) unreadable(start.repeat(100_000));
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  test("an item the document broke off in is left out: its guid may be missing", () => {
    const cut = "<rss><channel><item><guid>1</guid></item><item><title>half";
    const feed = parseFeed(Buffer.from(cut), "", address);
    expect(feed.items.map(({ identity }) => identity)).toEqual(["id 1"]);
    expect(feed.complete).toBe(false);
    expect(parseFeed(Buffer.from(rss("<item><guid>1</guid></item>")), "", address).complete).toBe(true);
  });

  test("whatever bytes a server sends, there are items or one of our errors", () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom("<rss>", "<item>", "</item>", "<title>", "</title>", "<![CDATA[", "]]>", "&#0;", "&#x110000;"),
        fc.constantFrom('<feed type="xhtml">', "<entry>", '<content type="xhtml">', "</content>", "<!--", "<?", "<"),
        fc.string(),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        try {
          return read(parts.join("")).every(({ title, text }) => title.isWellFormed() && text.isWellFormed());
        } catch (error) {
          return isScoutsError(error, "source_unreadable");
        }
      }),
    );
  });
});
