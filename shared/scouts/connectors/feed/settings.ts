import { createHmac, randomBytes } from "node:crypto";
import * as z from "zod";
import { ScoutsError } from "../../../../events/errors.ts";
import { type ItemRef, itemRef } from "../../../../events/ids.ts";
import type { RingSealer } from "../../../privacy/ring-sealer.ts";
import { Transient } from "../../../privacy/transient.ts";
import { sealingContext } from "../../scout-row.ts";
import type { ScoutStore } from "../../scout-store.ts";
import type { ScoutAtSource } from "../connector.ts";

/** What is sealed in a feed scout's row: the feed's address, and the key its items' refs are made with. */
const feedAccess = z.object({ url: z.string(), refKey: z.string() });
export type FeedAccess = z.infer<typeof feedAccess>;

/**
 * A key per scout: refs of two people on one feed have nothing in common, nobody can try guesses on a table, and with
 * the scout's row the last way to tell what its rows were about is gone.
 */
export function newAccess(url: string): FeedAccess {
  return { url, refKey: randomBytes(32).toString("base64url") };
}

/** Opens what {@link newAccess} made. @throws scout_not_found, source_not_connected */
export async function openAccess(
  scouts: ScoutStore,
  vault: () => Promise<RingSealer>,
  scout: ScoutAtSource,
): Promise<Transient<FeedAccess>> {
  const { sealedSettings } = await scouts.get(scout.userId, scout.scoutId);
  if (sealedSettings === undefined) {
    throw new ScoutsError("source_not_connected", { data: { scoutId: scout.scoutId } });
  }
  const opened = await (await vault()).open(sealedSettings, sealingContext(scout, "settings"));
  return opened.map((json) => feedAccess.parse(JSON.parse(json)));
}

/** A ref names an item by HMAC-SHA-256 of its identity: guids and links carry content, and are of any length. */
export function refOf(access: FeedAccess, identity: string): ItemRef {
  return itemRef.parse(keyed(access, `item\n${identity}`));
}

/** The feed's address as a row holds it. */
export function blindUrl(access: FeedAccess): string {
  return keyed(access, `url\n${access.url}`);
}

function keyed({ refKey }: FeedAccess, text: string): string {
  return createHmac("sha256", Buffer.from(refKey, "base64url")).update(text).digest("base64url");
}

export function toTransient(access: FeedAccess): Transient<string> {
  return new Transient(JSON.stringify(access));
}
