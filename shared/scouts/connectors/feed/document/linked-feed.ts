import { Parser } from "htmlparser2";

/** What a page's link to its feed says it leads to. */
const feedTypes: ReadonlySet<string> = new Set([
  "application/rss+xml",
  "application/atom+xml",
  "application/feed+json",
  "application/json",
]);
const longestAddress = 2048;

/**
 * The feed a web page names as its own: the first of its `<link rel="alternate">` (RSS autodiscovery,
 * https://www.rssboard.org/rss-autodiscovery).
 *
 * @param pageUrl where the page was read, for links that are relative
 */
export function linkedFeed(html: string, pageUrl: string): string | undefined {
  let found: string | undefined;
  let base = pageUrl;
  const parser = new Parser({
    onopentag: (name, { rel = "", type = "", href = "" }) => {
      if (name === "base" && href !== "") base = URL.parse(href, pageUrl)?.href ?? base;
      if (name !== "link" || found !== undefined) return;
      const isAlternate = rel.toLowerCase().split(/\s+/).includes("alternate");
      if (isAlternate && feedTypes.has(type.trim().toLowerCase())) found = addressOf(href, base);
    },
  });
  parser.end(html);
  return found;
}

function addressOf(href: string, base: string): string | undefined {
  const url = href === "" ? null : URL.parse(href.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  return url.href.length > longestAddress ? undefined : url.href;
}
