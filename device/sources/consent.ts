import type { DeviceId } from "../../events/ids.ts";
import type { PasteAddress } from "../connect/connect-gmail.ts";

/** How a person is asked for consent: by a page that leads back to this device. */
export interface Consent {
  readonly deviceId: DeviceId;
  /** Shows the person the consent page. */
  readonly openConsent: (url: string) => Promise<void>;
  /** Where the page is opened on another machine. */
  readonly paste?: PasteAddress | undefined;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** The kinds of source one consents to; all others are reached with what a person types. */
export const consentSources: ReadonlySet<string> = new Set(["gmail"]);
