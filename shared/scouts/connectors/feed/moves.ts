import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { ScoutId } from "../../../../events/ids.ts";
import type { RingSealer } from "../../../privacy/ring-sealer.ts";
import type { ScoutStore } from "../../scout-store.ts";
import type { ScoutAtSource } from "../connector.ts";
import type { SettingsVault } from "../settings-vault.ts";
import { movedTo } from "./listing.ts";
import { accessOf, feedSettings, placeOfFeed, sourceIdentities } from "./settings.ts";

export interface MovePorts {
  readonly scouts: ScoutStore;
  readonly kept: SettingsVault;
  readonly vault: () => Promise<RingSealer>;
  readonly sourceType: string;
}

/** A person's scout on a feed: where that was when it was added, and where it has moved to since, if it has. */
interface Found {
  readonly of: ScoutId;
  readonly place: string;
  readonly moved: string | undefined;
  readonly isLeaving: boolean;
}

/** The person's scouts whose feeds have moved there since, and where those were: they read it already. */
export async function movedThere(ports: MovePorts, here: readonly string[], { userId }: ScoutAtSource) {
  return (await feedsOf(ports, userId)).filter(({ moved }) => isThere(userId, moved, here));
}

/**
 * Two scouts of one person on one feed would propose everything twice, also where it has become one since they were added. Whose feed it
 * was from the start goes on, else the first that was found there.
 *
 * @param wasThere whether the scout's own position says already that its feed is there
 * @throws source_in_use with the other scout's id
 */
export async function refuseMove(ports: MovePorts, { userId, scoutId }: ScoutAtSource, to: string, wasThere: boolean) {
  const here = sourceIdentities({ userId }, to);
  for (const { of, place, moved, isLeaving } of await feedsOf(ports, userId)) {
    if (of === scoutId || isLeaving || !isThere(userId, moved ?? place, here)) continue;
    if (moved === undefined || !wasThere || of < scoutId)
      throw new ScoutsError("source_in_use", { data: { scoutId: of } });
  }
}

const isThere = (userId: ScoutAtSource["userId"], at: string | undefined, here: readonly string[]): boolean =>
  at !== undefined && sourceIdentities({ userId }, at).some((name) => here.includes(name));

async function feedsOf(ports: MovePorts, userId: ScoutAtSource["userId"]): Promise<readonly Found[]> {
  const vault = await ports.vault();
  const found: Found[] = [];
  for (const row of (await ports.scouts.listEach(userId)).rows) {
    const { scoutId: of, cursor } = row;
    if (row.sourceType !== ports.sourceType) continue;
    if (cursor === undefined || row.sealedSettings === undefined) continue;
    const each = await Promise.all([
      ports.kept.openOf(row, feedSettings),
      movedTo({ scout: row, vault }, cursor),
    ]).catch(noneOfUnusable);
    if (each === undefined) continue;
    const [settings, moved] = each;
    found.push({ of, place: placeOfFeed(accessOf(settings.reveal())), moved, isLeaving: row.deleting === true });
  }
  return found;
}

/** What is kept of one scout keeps no other from being added or read. */
function noneOfUnusable(error: unknown): undefined {
  if (!isScoutsError(error) || !unusable.has(error.code)) throw error;
}

const unusable: ReadonlySet<string> = new Set(["row_damaged", "sealed_unreadable", "sealing_key_unknown"]);
