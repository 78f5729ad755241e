import { describe, expect, test } from "vitest";
import { parseFeed } from "../../shared/scouts/connectors/feed/document/parse-feed.ts";
import { itemsByRef } from "../../shared/scouts/connectors/feed/item-refs.ts";
import { listNew } from "../../shared/scouts/connectors/feed/listing.ts";
import { newAccess } from "../../shared/scouts/connectors/feed/settings.ts";
import { scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";

const url = "https://status.example.org/feed";
const item = (title: string) => `<item><title>${title}</title><link>https://status.example.org/</link></item>`;
const documentOf = (titles: readonly string[]) =>
  Buffer.from(`<rss><channel><title>Status</title>${titles.map(item).join("")}</channel></rss>`);

/** Reads a feed whose items have no id, and all the same link, from position to position. */
async function reader() {
  const access = newAccess(url);
  const sealer = await vault()();
  const known = new Map<string, string>();
  let position: string | undefined;
  return {
    /** @returns the titles of those that are news */
    async look(...titles: string[]) {
      const get = async () => ({
        status: 200,
        headers: {},
        body: documentOf(titles),
        isPublic: true,
        url,
        permanentUrl: url,
      });
      const ports = { scout, vault: sealer, fetchOptions: { reach: "any" as const, nowMs: 1, get } };
      const { refs, cursor } = await listNew(ports, access, position ?? { known: new Set(), readAtSeconds: 0 });
      position = cursor;
      const byRef = itemsByRef(access, parseFeed(documentOf(titles), "", url).items);
      const news = refs.map((ref) => titleOf(byRef.get(ref)));
      for (const [at, ref] of refs.entries()) known.set(ref, news[at] ?? "");
      return news;
    },
    /** What each item that was ever news is found to be in a document with these. */
    found(...titles: string[]) {
      const byRef = itemsByRef(access, parseFeed(documentOf(titles), "", url).items);
      return Object.fromEntries([...known].map(([ref, title]) => [title, titleOf(byRef.get(ref))]));
    },
  };
}

const titleOf = (found: { readonly title: object } | undefined): string =>
  found !== undefined && "html" in found.title ? String(found.title.html) : "gone";

describe("P2: items that have nothing but their link, and all the same one", () => {
  test("are each news once, whoever comes beside them or leaves", async () => {
    const { look } = await reader();
    expect(await look("One")).toEqual(["One"]);
    expect(await look("Two", "One")).toEqual(["Two"]);
    expect(await look("Two")).toEqual([]);
    expect(await look("Three", "Two")).toEqual(["Three"]);
    expect(await look("Three", "Two", "One")).toEqual([]);
  });

  test("that were there together are known when one stays alone", async () => {
    const { look } = await reader();
    expect(await look("Two", "One")).toEqual(["Two", "One"]);
    expect(await look("Two")).toEqual([]);
  });

  test("are found again, whoever has come beside them or left", async () => {
    const { look, found } = await reader();
    await look("One");
    await look("Two", "One");
    expect(found("Two", "One")).toEqual({ One: "One", Two: "Two" });
    expect(found("Two")).toMatchObject({ Two: "Two" });
    expect(found("One")).toMatchObject({ One: "One", Two: "gone" });
  });

  test("are the same under another title as long as they are alone", async () => {
    const { look } = await reader();
    await look("One");
    expect(await look("One, mended")).toEqual([]);
  });
});
