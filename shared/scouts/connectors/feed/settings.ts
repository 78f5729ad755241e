import { createHmac, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import * as z from "zod";
import { ScoutsError } from "../../../../events/errors.ts";
import { type ItemRef, itemRef } from "../../../../events/ids.ts";
import type { Transient } from "../../../privacy/transient.ts";
import { namesOfHost } from "../address-guard.ts";
import type { KeptSettings, ScoutAtSource } from "../connector.ts";
import type { SettingsVault } from "../settings-vault.ts";

/** What is given for a feed: where it is. Credentials in the address would end up in other servers' logs. */
export const feedSettings = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, hostname: /./ })
    .max(2048)
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && url.username === "" && url.password === "";
    }),
});
export type FeedSettings = z.infer<typeof feedSettings>;

/** The feed's address, and the key its items' refs are made with. */
export interface FeedAccess {
  readonly url: string;
  readonly refKey: string;
  /** It was on the internet when it was added: a name that points inside since then is not followed there. */
  readonly isPublic: boolean;
  /** Where the address `of` led for good when it was added: which feed it is. */
  readonly place?: { readonly of: string; readonly at: string };
}

/**
 * A key per scout: refs of two people on one feed have nothing in common, nobody can try guesses on a table, and with
 * the scout's row the last way to tell what its rows were about is gone.
 */
export function newAccess(url: string): FeedAccess {
  return { url, refKey: randomBytes(32).toString("base64url"), isPublic: false };
}

/** With the key a scout has already, if it has one. Where a page was given, it is the feed that the page named. */
export function accessOf({ given, own }: KeptSettings<FeedSettings>): FeedAccess {
  const url = (own?.["page"] === given.url ? own["feed"] : undefined) ?? given.url;
  const { refKey, at, placeOf, place } = own ?? {};
  if (refKey === undefined) return newAccess(url);
  const known = placeOf === undefined || place === undefined ? {} : { place: { of: placeOf, at: place } };
  return { url, refKey, isPublic: at === internet, ...known };
}

/** Where a feed was when it was added, as far as that is known. */
export const placeOfFeed = ({ url, place }: FeedAccess): string => (place?.of === url ? place.at : url);

const internet = "internet";

/** What a scout keeps of its own beside what is given. */
export function ownOf({ refKey, isPublic, url, place }: FeedAccess, given: FeedSettings): Record<string, string> {
  const linked = url === given.url ? {} : { page: given.url, feed: url };
  return {
    refKey,
    ...(isPublic ? { at: internet } : {}),
    ...linked,
    ...(place && { placeOf: place.of, place: place.at }),
  };
}

/** @throws scout_not_found, source_not_connected */
export async function openAccess(settings: SettingsVault, scout: ScoutAtSource): Promise<Transient<FeedAccess>> {
  const kept = await settings.open(scout, feedSettings);
  if (kept.reveal().own?.["refKey"] === undefined) {
    throw new ScoutsError("source_not_connected", { data: { scoutId: scout.scoutId } });
  }
  return kept.map(accessOf);
}

/** A ref names an item by HMAC-SHA-256 of its identity: guids and links carry content, and are of any length. */
export function refOf({ refKey }: FeedAccess, identity: string): ItemRef {
  const key = Buffer.from(refKey, "base64url");
  return itemRef.parse(createHmac("sha256", key).update(`item\n${identity}`).digest("base64url"));
}

/**
 * Which feed it is, by each name its host goes by, the one that counts first. Strangers can name it too, hence the person's
 * id.
 */
export function sourceIdentities(
  { userId }: Pick<ScoutAtSource, "userId">,
  address: string,
): readonly [string, ...string[]] {
  const [first, ...others] = namesOfHost(new URL(address).hostname.replace(/^\[(.*)\]$/, "$1"));
  const named = (host: string) => {
    const url = new URL(address);
    url.hostname = isIP(host) === 6 ? `[${host}]` : host;
    const { href, hash } = url;
    return `${userId} ${hash === "" ? href : href.slice(0, -hash.length)}`;
  };
  return [named(first), ...others.map(named)];
}
