import { isScoutsError } from "../../events/errors.ts";
import {
  type ChangeScoutRequest,
  longestRestDays,
  type ScoutResponse,
  scoutResponse,
  usualRestDays,
} from "../../events/http/scouts.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { connectGmail } from "../connect/connect-gmail.ts";
import { listScouts } from "../connect/list-scouts.ts";
import { exactError } from "../exact-sentences.ts";
import type { Consent } from "./consent.ts";
import { explained, otherAccount } from "./explained.ts";
import { requireFree, textOf } from "./names.ts";
import { pathOf, scoutNamed } from "./scout-named.ts";

/**
 * Changes what its owner may change about a scout. One that lets it move spam to Trash asks for the right to it, where that
 * is yet to be granted.
 *
 * @param text how a person names the scout
 * @throws DeviceError `scout_unknown`, `scout_exists`, `usage`, `consent_refused`, `consent_abandoned`; ScoutsError
 */
export async function editSource(
  api: CloudApi,
  text: string,
  asked: ChangeScoutRequest,
  consent: () => Consent,
): Promise<ScoutResponse> {
  const all = await listScouts(api);
  const scout = scoutNamed(all, text);
  const { id, name } = scout;
  const others = all.filter((each) => each.id !== id);
  const change = {
    ...asked,
    ...(asked.name !== undefined && { name: textOf(asked.name, "name") }),
    ...(asked.purpose !== undefined && { purpose: textOf(asked.purpose, "purpose") }),
  };
  if (change.name !== undefined && change.name !== name) requireFree(change.name, others);
  const tryIt = () => askCloud(api, "PATCH", pathOf(id), scoutResponse, change);
  try {
    return await tryIt();
  } catch (error) {
    if (change.autoTrash !== true || !isScoutsError(error, "consent_incomplete")) throw explained(error, others);
  }
  await connectGmail(api, { scoutId: id, ...consent(), autoTrash: true, sameAccount: true }).catch((error: unknown) => {
    throw isScoutsError(error, "source_account_other") ? otherAccount(error, scout) : explained(error, others);
  });
  return tryIt();
}

/**
 * After how many days without a device a scout is to rest, as a person has typed it.
 *
 * @returns null for the usual ones, where nothing is typed
 * @throws DeviceError `usage`
 */
export function restDaysOf(typed: string): number | null {
  const text = typed.trim();
  if (text === "") return null;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= longestRestDays) return days;
  const values = { longest: longestRestDays, usual: usualRestDays };
  throw exactError("usage", "pauseAfterDays", values, { data: { field: "pauseAfterDays" } });
}
