import { askCloud, type CloudApi } from "../../../device/connect/cloud-api.ts";
import { connectGmail } from "../../../device/connect/connect-gmail.ts";
import { scoutListResponse, scoutResponse } from "../../../events/http.ts";
import type { DeviceId, ScoutId } from "../../../events/ids.ts";

const scoutsPath = "/api/v1/scouts";

/** The person's scout on the local mailbox: made and connected at the first start, found at every other. */
export async function ensureScout(api: CloudApi, deviceId: DeviceId, signal: AbortSignal): Promise<ScoutId> {
  const { scouts } = await askCloud(api, "GET", scoutsPath, scoutListResponse);
  const scout =
    scouts.find((each) => each.sourceType === "gmail") ??
    (await askCloud(api, "POST", scoutsPath, scoutResponse, {
      sourceType: "gmail",
      name: "Inbox",
      purpose: "Show me what people and services I deal with want from me.",
    }));
  if (!scout.connected || scout.disabledCode !== null) {
    await connectGmail(api, { scoutId: scout.id, deviceId, openConsent: followConsent, signal });
  }
  return scout.id;
}

/** The mailbox stand-in consents by itself: following its redirects is what a browser would do. */
async function followConsent(url: string): Promise<void> {
  const response = await fetch(url, { redirect: "follow" });
  await response.arrayBuffer();
}
