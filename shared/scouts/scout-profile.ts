import type { ScoutId, UserId } from "../../events/ids.ts";
import type { RingSealer } from "../privacy/ring-sealer.ts";
import { Transient } from "../privacy/transient.ts";
import { storedText } from "../stored-row.ts";
import { type ScoutProfile, type ScoutRow, scoutProfile, sealingContext } from "./scout-row.ts";

/** Opens a scout's name and purpose. @throws sealed_unreadable, sealing_key_unknown, row_damaged */
export async function openProfile(sealer: RingSealer, row: ScoutRow): Promise<Transient<ScoutProfile>> {
  const opened = await sealer.open(row.sealed, sealingContext(row, "profile"));
  return opened.map((json) => storedText(json, "profile", (text) => scoutProfile.parse(JSON.parse(text))));
}

/** Seals a scout's name and purpose for its row. */
export async function sealProfile(
  sealer: RingSealer,
  of: { userId: UserId; scoutId: ScoutId },
  profile: ScoutProfile,
): Promise<string> {
  return sealer.seal(new Transient(JSON.stringify(profile)), sealingContext(of, "profile"));
}
