import { Parser } from "htmlparser2";

/** What a page's link to its feed says it leads to. */
const feedTypes: ReadonlySet<string> = new Set([
  "application/rss+xml",
  "application/atom+xml",
  "application/feed+json",
]);
/** Of feeds in JSON before they had a type of their own (JSON Feed 1.0), and of any other JSON a page may lead to. */
const anyJson = "application/json";
const longestAddress = 2048;

/**
 * The feed a web page names as its own: the first of its `<link rel="alternate">` (RSS autodiscovery,
 * https://www.rssboard.org/rss-autodiscovery), and one that need be no feed where there is no other.
 *
 * @param pageUrl where the page was read, for links that are relative
 */
export function linkedFeed(html: string, pageUrl: string): string | undefined {
  let [found, json]: (string | undefined)[] = [];
  let base = pageUrl;
  const parser = new Parser({
    onopentag: (name, { rel = "", type = "", href = "" }) => {
      if (name === "base" && href !== "") base = URL.parse(href, pageUrl)?.href ?? base;
      if (name !== "link" || found !== undefined) return;
      const named = type.trim().toLowerCase();
      if (!rel.toLowerCase().split(/\s+/).includes("alternate")) return;
      if (feedTypes.has(named)) found = addressOf(href, base);
      else if (named === anyJson) json ??= addressOf(href, base);
    },
  });
  parser.end(html);
  return found ?? json;
}

function addressOf(href: string, base: string): string | undefined {
  const url = href === "" ? null : URL.parse(href.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  return url.href.length > longestAddress ? undefined : url.href;
}
