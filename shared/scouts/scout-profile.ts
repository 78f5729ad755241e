import type { ScoutId, UserId } from "../../events/ids.ts";
import type { RingSealer } from "../privacy/ring-sealer.ts";
import { Transient } from "../privacy/transient.ts";
import { type ScoutProfile, type ScoutRow, scoutProfile, sealingContext } from "./scout-row.ts";

/** Opens a scout's name and purpose. */
export async function openProfile(sealer: RingSealer, row: ScoutRow): Promise<Transient<ScoutProfile>> {
  const opened = await sealer.open(row.sealed, sealingContext(row, "profile"));
  return opened.map((json) => scoutProfile.parse(JSON.parse(json)));
}

/** Seals a scout's name and purpose for its row. */
export async function sealProfile(
  sealer: RingSealer,
  of: { userId: UserId; scoutId: ScoutId },
  profile: ScoutProfile,
): Promise<string> {
  return sealer.seal(new Transient(JSON.stringify(profile)), sealingContext(of, "profile"));
}
