import { setTimeout } from "node:timers/promises";
import { isScoutsError, type ScoutsError } from "../../../events/errors.ts";
import { type ScoutResponse, seesResponse } from "../../../events/http/scouts.ts";
import type { SourceSees } from "../../../events/sources/sees.ts";
import { askCloud, type CloudApi } from "../../connect/cloud-api.ts";
import { type DeviceError, isDeviceError } from "../../errors.ts";
import { whyUnreached } from "../explained.ts";
import { pathOf } from "../scout-named.ts";
import type { Failing } from "../trouble.ts";

/** A source that was just connected is asked to tell of news by the first run, which takes a moment. */
const looks = 6;
const pauseMs = 500;

/** Folders that a scout is to read and that are not there, asked of its source; none where it cannot be asked. */
export async function missingFolders(api: CloudApi, id: string): Promise<readonly string[]> {
  try {
    return (await whatItSees(api, id)).missing;
  } catch (error) {
    if (!isScoutsError(error)) throw error;
    return [];
  }
}

/** Scouts whose looks fail, each with the folders it fails for, where it fails for some. */
export const withMissing = (api: CloudApi, failing: readonly Failing[]): Promise<Failing[]> =>
  Promise.all(
    failing.map(async (each) =>
      each.code === "source_folder_unknown" ? { ...each, missing: await missingFolders(api, each.id) } : each,
    ),
  );

/** What a scout sees at its source now. @throws ScoutsError reauth, source_not_connected, `source_*` */
async function whatItSees(api: CloudApi, id: string): Promise<SourceSees> {
  return (await askCloud(api, "GET", `${pathOf(id)}/sees`, seesResponse)).sees;
}

/** What a scout sees, or why it sees nothing at the moment. */
export type Sight =
  | { readonly isSeen: true; readonly sees: SourceSees }
  | { readonly isSeen: false; readonly error: ScoutsError | DeviceError };

/** What a scout sees now, or why not; nothing of one that is switched off or was never connected. @throws DeviceError */
export async function sightOf(api: CloudApi, scout: ScoutResponse): Promise<Sight | undefined> {
  return scout.connected && scout.disabledCode === null ? lookAt(api, scout.id) : undefined;
}

/** The same of one that is at work. @throws DeviceError */
export async function lookAt(api: CloudApi, id: string): Promise<Sight> {
  try {
    return { isSeen: true, sees: await whatItSees(api, id) };
  } catch (error) {
    if (!isScoutsError(error)) throw error;
    return { isSeen: false, error: whyUnreached(error) ?? error };
  }
}

/**
 * The same of a scout that was just connected: whether its source tells of news is waited for, for a few seconds. The scout is there by
 * then, so also where the home cannot be asked it is said why nothing is seen, and nothing has failed.
 */
export async function firstSight(api: CloudApi, id: string, signal: AbortSignal): Promise<Sight> {
  for (let look = 1; ; look += 1) {
    const sight = await lookAt(api, id).catch((error: unknown): Sight => {
      if (!isDeviceError(error)) throw error;
      return { isSeen: false, error };
    });
    if (!sight.isSeen || sight.sees.push !== "soon" || look === looks || signal.aborted) return sight;
    // Interrupted, it is shown as it is.
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
