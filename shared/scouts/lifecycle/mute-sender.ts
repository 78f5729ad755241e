import { createHmac, randomBytes } from "node:crypto";
import { ScoutsError } from "../../../events/errors.ts";
import { ledgerKey } from "../../keys.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Change, Condition, Table } from "../../ports/table.ts";
import type { RingSealer } from "../../privacy/ring-sealer.ts";
import type { Transient } from "../../privacy/transient.ts";
import type { Sender } from "../connectors/connector.ts";
import { openProfile } from "../scout-profile.ts";
import { parseScoutRow, type ScoutProfile, type ScoutRow, type StoredScout, sealingContext } from "../scout-row.ts";

/** The row is read for every item: it must stay small. */
const mostMuted = 500;

export interface MutePorts {
  readonly ledger: Table;
  readonly vault: () => Promise<RingSealer>;
}

/**
 * Mutes a sender for a scout, or ends that. The row holds an HMAC of the address under a key of the scout that is sealed with
 * its name, so that nobody can try addresses on a table.
 *
 * @returns how many senders are muted now
 * @throws invalid_request when it is no address, or one too many; conflict when the scout was changed meanwhile
 */
export async function muteSender(
  { ledger, vault }: MutePorts,
  row: ScoutRow,
  address: Transient<string>,
  muted: boolean,
): Promise<number> {
  if (row.deleting) throw new ScoutsError("scout_deleting");
  if (!address.reveal().includes("@")) throw new ScoutsError("invalid_request", { data: { where: "address" } });
  const sealer = await vault();
  const profile = (await openProfile(sealer, row)).map(withKey);
  const blinded = blind(profile, address);
  const known = Object.keys(row.muted ?? {});
  if (known.includes(blinded) === muted) return known.length;
  if (muted && known.length >= mostMuted)
    throw new ScoutsError("invalid_request", { data: { where: "address", most: mostMuted } });
  const key = ledgerKey.scout(row.userId, row.scoutId);
  const unchanged: Condition = { all: [{ path: ["sealed"], is: "=", value: row.sealed }, { absent: ["deleting"] }] };
  // A path inside a map can only be set once the map exists, hence two writes, each harmless to repeat.
  await ledger.update(key, changeOf<StoredScout>({ set: { muted: {} } }), { all: [unchanged, { absent: ["muted"] }] });
  const sealed = known.length > 0 ? row.sealed : await sealer.seal(profile.map(toJson), sealingContext(row, "profile"));
  const at: Change = muted ? { set: [[["muted", blinded], true]] } : { remove: [["muted", blinded]] };
  const changed = await ledger.update(key, changeOf<StoredScout>({ set: { sealed }, at }), unchanged);
  if (!changed) throw new ScoutsError("conflict", { data: { scoutId: row.scoutId } });
  return Object.keys(parseScoutRow(changed).muted ?? {}).length;
}

/** Whether an item's sender is muted for a scout. */
export function isMuted(row: ScoutRow, profile: Transient<ScoutProfile>, sender: Transient<Sender>): boolean {
  if (row.muted === undefined || profile.reveal().muteKey === undefined) return false;
  return (
    row.muted[
      blind(
        profile,
        sender.map(({ address }) => address),
      )
    ] === true
  );
}

const withKey = (profile: ScoutProfile): ScoutProfile => ({
  ...profile,
  muteKey: profile.muteKey ?? randomBytes(32).toString("base64url"),
});
const toJson = (profile: ScoutProfile): string => JSON.stringify(profile);

function blind(profile: Transient<ScoutProfile>, address: Transient<string>): string {
  const key = Buffer.from(profile.reveal().muteKey ?? "", "base64url");
  return createHmac("sha256", key).update(address.reveal().trim().toLowerCase()).digest("base64url").slice(0, 22);
}
