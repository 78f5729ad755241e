import { setTimeout } from "node:timers/promises";
import { askCloud, type CloudApi } from "../../device/connect/cloud-api.ts";
import { connectGmail } from "../../device/connect/connect-gmail.ts";
import { isDeviceError } from "../../device/errors.ts";
import { isScoutsError } from "../../events/errors.ts";
import { scoutListResponse, scoutResponse } from "../../events/http/scouts.ts";
import type { DeviceId, ScoutId } from "../../events/ids.ts";
import type { MailboxScout } from "./mailbox-scout.ts";

const scoutsPath = "/api/v1/scouts";

/** How often a failure that may pass is met by beginning again, and the first pause; each is twice the one before. */
const tries = 8;
const firstPauseMs = 100;

/** Shows the person Google's consent page. */
export type OpenConsent = (url: string) => Promise<void>;

/** The person's scout on their mailbox. */
export interface FoundScout {
  readonly scoutId: ScoutId;
  /** It was made once, and its owner has removed it: nobody looks at the mailbox. */
  readonly isRemoved: boolean;
  /** Another was there before it and was removed: what had come by then is none of this one's. */
  readonly isMadeAnew: boolean;
}

/**
 * The person's scout on their mailbox: made and connected at the first start, found at every other, and left alone once it
 * was removed. After a passing failure it begins with what is there by now, so no try leaves a second scout.
 */
export async function ensureScout(
  api: CloudApi,
  deviceId: DeviceId,
  openConsent: OpenConsent,
  signal: AbortSignal,
  made: Pick<MailboxScout, "read" | "write" | "isAnother">,
): Promise<FoundScout> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await findOrConnect(api, deviceId, openConsent, signal, made);
    } catch (error) {
      if (attempt === tries || !mayPass(error)) throw error;
      await setTimeout(firstPauseMs * 2 ** attempt, undefined, { signal });
    }
  }
}

/** Whether trying again may help: the hostile home throttles and crashes on purpose, and AWS does so now and then. */
export function mayPass(error: unknown): boolean {
  if (isDeviceError(error, "request_refused")) return true;
  return isScoutsError(error) && (error.kind.retry !== "never" || error.code === "consent_invalid");
}

async function findOrConnect(
  api: CloudApi,
  deviceId: DeviceId,
  openConsent: OpenConsent,
  signal: AbortSignal,
  made: Pick<MailboxScout, "read" | "write" | "isAnother">,
): Promise<FoundScout> {
  const { scouts } = await askCloud(api, "GET", scoutsPath, scoutListResponse);
  const found = scouts.find((each) => each.sourceType === "gmail");
  const before = made.read();
  if (found === undefined && before !== undefined) return { scoutId: before, isRemoved: true, isMadeAnew: false };
  const scout =
    found ??
    (await askCloud(api, "POST", scoutsPath, scoutResponse, {
      sourceType: "gmail",
      name: "Inbox",
      purpose: "Show me what people and services I deal with want from me.",
    }));
  if (!scout.connected || scout.disabledCode !== null) {
    await connectGmail(api, { scoutId: scout.id, deviceId, openConsent, signal });
  }
  made.write(scout.id);
  return { scoutId: scout.id, isRemoved: false, isMadeAnew: made.isAnother(scout.id) };
}

/**
 * The mailbox stand-in consents by itself once it knows that the owner asks: following its redirects is what a browser
 * would do. The secret goes to its page only; a redirect to another port leaves it out (Fetch, "HTTP-redirect fetch").
 */
export const followConsent =
  (ownerSecret: string): OpenConsent =>
  async (url) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${ownerSecret}` }, redirect: "follow" });
    await response.arrayBuffer();
  };
