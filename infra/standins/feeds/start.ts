import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type HttpAnswer, type HttpRequest, serveLoopback } from "../loopback-server.ts";
import { type FeedPath, formats, isFeedPath, type PublishedItem } from "./formats.ts";

/** What can go wrong with a feed's server. A fault strikes every request until it is disarmed. */
export type FeedFault =
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: "redirect"; readonly to: string; readonly status?: 301 | 302 | 307 | 308 }
  | { readonly kind: "slow"; readonly delayMs: number }
  /** A few kilobytes that unpack to this many bytes. */
  | { readonly kind: "bomb"; readonly bytes: number }
  | { readonly kind: "huge"; readonly bytes: number }
  | { readonly kind: "malformed" }
  /** A web page in its place. */
  | { readonly kind: "page" }
  /** The connection breaks half way through the document. */
  | { readonly kind: "truncated" }
  /** The document itself lacks its end, or ends after so many characters, and the server says nothing of it. */
  | { readonly kind: "cutDocument"; readonly after?: number }
  /** 304 to everybody who shows a validator, whatever has changed. */
  | { readonly kind: "neverModified" };

export interface Feeds {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  /** The one feed, in each of its formats. */
  feedUrl(path?: FeedPath): string;
  /** Shows a web page at `/`, with this in its head. */
  showPage(head: string): void;
  /** Puts an item at the top; what is left out is made up from the guid. */
  publish(item: Partial<PublishedItem> & { readonly guid: string }): void;
  remove(guid: string): void;
  /** Turns the order of the items around and gives each another link: they stay the same items. */
  moveItems(): void;
  arm(fault: FeedFault): () => void;
  /** Requests so far, and how many of them were answered 304. */
  requests(): { readonly all: number; readonly notModified: number };
  close(): Promise<void>;
}

/** A web server with one feed, on 127.0.0.1: RSS, Atom and JSON Feed with ETag and Last-Modified. Throws StandInError. */
export async function startFeeds(options: { port?: number; clock?: () => number } = {}): Promise<Feeds> {
  const clock = options.clock ?? Date.now;
  let items: PublishedItem[] = [];
  let changedAtMs = clock();
  let moved = 0;
  let pageHead: string | undefined;
  const armed = new Set<FeedFault>();
  const bombs = new Map<number, Buffer>();
  const counts = { all: 0, notModified: 0 };

  function document(path: FeedPath, request: HttpRequest): HttpAnswer {
    const { contentType, body } = formats[path]("The feed", items);
    const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
    const headers = { etag, "last-modified": new Date(changedAtMs).toUTCString() };
    const shown = request.headers["if-none-match"];
    const unchanged = shown === etag || (shown !== undefined && has("neverModified") !== undefined);
    if (!unchanged) return { status: 200, headers: { ...headers, "content-type": contentType }, body };
    counts.notModified += 1;
    return { status: 304, headers };
  }

  function has<K extends FeedFault["kind"]>(kind: K): Extract<FeedFault, { kind: K }> | undefined {
    for (const fault of armed) if (isKind(fault, kind)) return fault;
    return undefined;
  }

  function answer(request: HttpRequest): HttpAnswer {
    counts.all += 1;
    const path = request.url.pathname;
    if (path === "/" && pageHead !== undefined) return pageWith(pageHead);
    if (!isFeedPath(path)) return { status: 404, body: "Not found" };
    const refusal = has("status");
    if (refusal) {
      const { status, retryAfter } = refusal;
      return {
        status,
        body: "Refused",
        ...(retryAfter === undefined ? {} : { headers: { "retry-after": retryAfter } }),
      };
    }
    const redirect = has("redirect");
    if (redirect) return { status: redirect.status ?? 301, headers: { location: redirect.to } };
    const xml = { "content-type": "application/xml" };
    const bomb = has("bomb");
    if (bomb) {
      return { status: 200, headers: { ...xml, "content-encoding": "gzip" }, body: bombs.get(bomb.bytes) ?? "" };
    }
    const huge = has("huge");
    if (huge) return { status: 200, headers: xml, body: Buffer.alloc(huge.bytes, " ") };
    if (has("malformed")) return { status: 200, headers: xml, body: '{"error": "no such feed"}' };
    if (has("page")) return pageWith("");
    const whole = document(path, request);
    const cut = has("cutDocument");
    if (cut) return { ...whole, body: String(whole.body ?? "").slice(0, cut.after ?? -200) };
    const delayMs = has("slow")?.delayMs;
    return { ...whole, truncated: has("truncated") !== undefined, ...(delayMs === undefined ? {} : { delayMs }) };
  }

  const server = await serveLoopback(answer, options.port === undefined ? {} : { port: options.port });
  const changed = (next: PublishedItem[]) => {
    items = next;
    changedAtMs = clock();
  };
  return {
    url: server.url,
    feedUrl: (path = "/rss.xml") => `${server.url}${path}`,
    showPage: (head) => {
      pageHead = head;
    },
    publish: ({ guid, ...item }) => {
      const made: PublishedItem = {
        guid,
        link: `${server.url}/items/${encodeURIComponent(guid)}`,
        title: guid,
        html: `<p>${guid}</p>`,
        author: "Ada",
        publishedAtMs: clock(),
        ...item,
      };
      changed([made, ...items]);
    },
    remove: (guid) => changed(items.filter((item) => item.guid !== guid)),
    moveItems: () => {
      moved += 1;
      changed(items.map((item) => ({ ...item, link: `${server.url}/moved-${moved}` })).reverse());
    },
    arm: (fault) => {
      // Made before anybody waits for it: packing takes long, and its reader has a time limit.
      if (fault.kind === "bomb") bombs.set(fault.bytes, gzipSync(Buffer.alloc(fault.bytes, " ")));
      armed.add(fault);
      return () => armed.delete(fault);
    },
    requests: () => ({ ...counts }),
    close: server.close,
  };
}

const pageWith = (head: string): HttpAnswer => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html><head><title>The site</title>${head}</head><p>Hello.`,
});

function isKind<K extends FeedFault["kind"]>(fault: FeedFault, kind: K): fault is Extract<FeedFault, { kind: K }> {
  return fault.kind === kind;
}
