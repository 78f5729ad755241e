import type { Proposal } from "./api.ts";

/** Longer texts are cut in lists: laying out a line of 100,000 characters takes a browser seconds. */
const longestLine = 300;
/** Control characters, and those that turn the direction of what stands around them or cannot be seen. */
const unseen = /[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]+/gu;

/** A stranger's text in one line of a list. */
export function line(text: string): string {
  const seen = text
    .slice(0, longestLine * 4)
    .replaceAll(unseen, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return seen.length > longestLine ? `${seen.slice(0, longestLine)}…` : seen;
}

/** A stranger's text with its lines. */
export const lines = (text: string): string =>
  text.replaceAll(unseen, (found) => (/^[\t\r\n]+$/.test(found) ? found : found.replaceAll(/[^\t\r\n]/g, "")));

/** Who it is from; a name that looks like an address gives way to the address it came from. */
export function senderOf({ sender }: Pick<Proposal, "sender">): string {
  if (sender === null) return "";
  const name = line(sender.name);
  return sender.address !== "" && (name === "" || name.includes("@")) ? line(sender.address) : name;
}

/** A link to the web, or nothing: a source may say anything. */
export function webLink(text: string | null): string | undefined {
  const url = URL.parse(text ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}

export const dateText = (ms: number, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(ms);

export function sizeText(bytes: number, language: string): string {
  const units = [
    [1e9, "gigabyte"],
    [1e6, "megabyte"],
  ] as const;
  const [size, unit] = units.find(([least]) => bytes >= least) ?? ([1e3, "kilobyte"] as const);
  const value = bytes / size;
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
}
