import { askCloud, type CloudApi } from "../../device/connect/cloud-api.ts";
import { connectGmail } from "../../device/connect/connect-gmail.ts";
import { isScoutsError } from "../../events/errors.ts";
import { type ChangeScoutRequest, type ScoutResponse, scoutResponse } from "../../events/http.ts";
import type { DeviceId, ScoutId } from "../../events/ids.ts";
import type { CliContext } from "../context.ts";
import { consentOpener, consentSignal } from "./consent.ts";
import { pathOf } from "./scouts-home.ts";

/** Makes a change that lets a scout move spam to Trash; asks for the right to it when that is yet to be granted. */
export async function changeWithConsent(
  context: CliContext,
  api: CloudApi,
  scoutId: ScoutId,
  { deviceId, dataFolder }: { deviceId: DeviceId; dataFolder: string },
  change: ChangeScoutRequest,
): Promise<ScoutResponse> {
  const tryIt = () => askCloud(api, "PATCH", pathOf(scoutId), scoutResponse, change);
  try {
    return await tryIt();
  } catch (error) {
    if (!isScoutsError(error, "consent_incomplete")) throw error;
  }
  const openConsent = consentOpener(context, dataFolder, "Moving spam to Trash needs your consent.");
  await connectGmail(api, { scoutId, deviceId, openConsent, signal: consentSignal(context), autoTrash: true });
  return tryIt();
}
