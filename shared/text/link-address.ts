/** Of a longer address, and of one with a query (those of programs that count who reads), the host says where it leads. */
const mostCharacters = 60;

/** What is the same address however it is written. */
const bare = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "");

/**
 * Where a link leads, to stand behind its words: the host as programs find it, no name before it, which would pass for one, and the page
 * where that is short. Undefined where the words say it themselves, or it leads nowhere from a letter.
 *
 * @param href as its sender wrote it
 */
export function addressBehind(words: string, href: string): string | undefined {
  const url = URL.parse(href.trim());
  if (url === null || words.trim() === "") return undefined;
  const { protocol, host, pathname, search, hash } = url;
  if (protocol === "mailto:") return bare(words) === bare(pathname) ? undefined : pathname;
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  const page = `${protocol}//${host}${pathname}`;
  if ([page, `${page}${search}${hash}`].some((address) => bare(words) === bare(address))) return undefined;
  return search === "" && page.length <= mostCharacters ? page : `${protocol}//${host}/…`;
}
