/** Commands whose content is not text (RFC 1896 §3, RFC 1341 §7.1.3). */
const unseen = /<(param|comment)>[\s\S]*?(?:<\/\1>|$)/gi;

/**
 * `text/enriched` (RFC 1896) and its elder `text/richtext` (RFC 1341) as plain text: commands go, `<<` is `<`, and of
 * line breaks in a row the first one is only a space.
 */
export function enrichedText(text: string): string {
  const lessThan = "\u0000";
  return text
    .replaceAll("\u0000", "")
    .replaceAll("<<", lessThan)
    .replace(unseen, "")
    .replace(/<lt>/gi, lessThan)
    .replace(/(?:\r?\n)+/g, (breaks) => (breaks.replaceAll("\r", "").length > 1 ? "\n" : " "))
    .replace(/<\/?(?:nl|paragraph|np)>/gi, "\n")
    .replace(/<[^<>\n]{0,60}>/g, "")
    .replaceAll(lessThan, "<");
}
