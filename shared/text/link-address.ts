/** More of an address than this tells nobody where it leads. */
const mostCharacters = 100;

/** What is the same address however it is written. */
const bare = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "");

/** Where a link leads: the host as programs find it, and no name before it, which would pass for one. */
function leadsTo(href: string): string | undefined {
  const url = URL.parse(href.trim());
  if (url?.protocol === "mailto:") return url.pathname;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return `${url.protocol}//${url.host}${url.pathname}${url.search}${url.hash}`;
}

/**
 * Where a link leads, to stand behind its words; undefined where they say it themselves, or it leads nowhere from a letter.
 *
 * @param href as its sender wrote it
 */
export function addressBehind(words: string, href: string): string | undefined {
  const address = leadsTo(href);
  if (address === undefined || words.trim() === "" || bare(words) === bare(address)) return undefined;
  return address.length > mostCharacters ? `${address.slice(0, mostCharacters - 1).toWellFormed()}…` : address;
}
