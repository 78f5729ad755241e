import path from "node:path";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import type { SourceSettings } from "../../events/sources/settings.ts";
import { exactError } from "../exact-sentences.ts";
import { consentSources } from "./consent.ts";

/** What the cloud takes of each. */
const longest = { name: 80, purpose: 500 } as const;

/**
 * What a new scout is called: as its owner says, else after its source, with a number where that is taken.
 *
 * @throws DeviceError `usage`, `scout_exists`
 */
export function nameFor(
  { name, source, settings }: { readonly name?: string; readonly source: string; readonly settings?: SourceSettings },
  others: readonly ScoutResponse[],
): string {
  if (name !== undefined) {
    const wanted = textOf(name, "name");
    requireFree(wanted, others);
    return wanted;
  }
  return numbered(nameAfter(source, settings), others);
}

function numbered(wanted: string, others: readonly ScoutResponse[]): string {
  const taken = new Set(others.map((scout) => scout.name.toLowerCase()));
  const base =
    wanted
      .trim()
      .slice(0, longest.name - 5)
      .trim() || "Scout";
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base} ${number}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

/**
 * What a scout on a feed is called once the feed has been read: after its title, where it has one. Null where the name it
 * was made under says more.
 *
 * @param title what the home says it sees; a feed without a title is told by its host
 */
export function nameAfterTitle(title: string, url: string, others: readonly ScoutResponse[]): string | null {
  const host = URL.parse(url)?.host;
  if (title.trim() === "" || title === host) return null;
  return numbered(title, others);
}

/** What a source is best known by: the address of a feed, the name of a file, the user of an account. */
function nameAfter(source: string, settings: SourceSettings = {}): string {
  const { url, path: file, user } = settings;
  if (typeof url === "string") return addressText(url) ?? source;
  if (typeof file === "string") return path.basename(file).replace(/\.(mbox|eml)$/i, "");
  if (typeof user === "string") return user;
  return consentSources.has(source) ? `${source.slice(0, 1).toUpperCase()}${source.slice(1)}` : source;
}

/** `example.org/blog/feed`: two feeds of a host have two names. What follows a `?` may be a secret. */
function addressText(url: string): string | undefined {
  const address = URL.parse(url);
  if (address === null) return undefined;
  return `${address.hostname.replace(/^www\./, "")}${address.pathname.replace(/\/$/, "")}`;
}

/** Two scouts of a name could not be told apart in a command. @throws DeviceError `scout_exists` */
export function requireFree(name: string, others: readonly ScoutResponse[]): void {
  if (!others.some((scout) => scout.name.toLowerCase() === name.toLowerCase())) return;
  throw exactError("scout_exists", "named", { name }, { data: { field: "name" } });
}

/** A name or purpose as it is kept. @throws DeviceError `usage` */
export function textOf(text: string, what: keyof typeof longest): string {
  const trimmed = text.trim();
  if (trimmed !== "" && trimmed.length <= longest[what]) return trimmed;
  throw exactError("usage", what, { longest: longest[what] }, { data: { field: what } });
}
