import * as z from "zod";
import { connectResponse } from "../../events/http/consent.ts";
import type { DeviceId, ScoutId } from "../../events/ids.ts";
import { DeviceError } from "../errors.ts";
import { askCloud, type CloudApi } from "./cloud-api.ts";
import { listenForConsent } from "./loopback-consent.ts";

/**
 * Listens for addresses that a person pastes.
 *
 * @param take whether a line is the address that is waited for
 * @returns what ends the listening
 */
export type PasteAddress = (take: (line: string) => boolean) => () => void;

export interface GmailConsent {
  readonly scoutId: ScoutId;
  readonly deviceId: DeviceId;
  /** Shows the person Google's consent page. */
  readonly openConsent: (url: string) => Promise<void>;
  /** Where the browser is on another machine: the person pastes the address it has ended on. */
  readonly paste?: PasteAddress | undefined;
  readonly signal: AbortSignal;
  /** Asks for the right to move spam to Trash as well. */
  readonly autoTrash?: boolean;
  /** Whether another account than the one it reads is refused. */
  readonly sameAccount?: boolean;
}

/**
 * Connects a scout to a Gmail mailbox: the person consents in their browser, the code comes back to a loopback port of
 * this device, and the device posts it with the verifier only it holds.
 *
 * @throws ScoutsError `consent_invalid`, `consent_incomplete`, `source_in_use`, …; DeviceError `consent_refused`,
 * `consent_abandoned`
 */
export async function connectGmail(
  api: CloudApi,
  { scoutId, deviceId, openConsent, paste, signal, autoTrash = false, sameAccount = false }: GmailConsent,
): Promise<void> {
  const listener = await listenForConsent();
  let stopPasting: (() => void) | undefined;
  try {
    const { port: loopbackPort, codeChallenge } = listener;
    const request = { deviceId, codeChallenge, loopbackPort, autoTrash };
    const path = `/api/v1/scouts/${scoutId}/gmail`;
    const { consentUrl } = await askCloud(api, "POST", `${path}/connect`, connectResponse, request);
    const state = URL.parse(consentUrl)?.searchParams.get("state");
    if (!state) throw new DeviceError("request_refused", { sentence: "The cloud's consent page carries no state." });
    const result = listener.result(state, signal);
    await openConsent(consentUrl);
    stopPasting = paste?.((address) => listener.pasted(address));
    await askCloud(api, "POST", `${path}/complete`, z.undefined(), { deviceId, sameAccount, ...(await result) });
  } finally {
    stopPasting?.();
    listener.close();
  }
}
