import type { ScoutsError } from "../../events/errors.ts";
import { type DeviceError, isDeviceError } from "../errors.ts";
import type { SentenceValues } from "../exact-sentences.ts";

/** An error that a finding or a note quotes: whoever says that in another language says this one by its own code. */
export interface Quoted {
  /** Of the device or the cloud; a stored one may be of an older program. */
  readonly code: string;
  readonly message: string;
  readonly about?: string | undefined;
  readonly values?: SentenceValues | undefined;
}

/** An error as it is quoted. */
export const quoted = (error: DeviceError | ScoutsError): Quoted => ({
  code: error.code,
  message: error.message,
  ...(isDeviceError(error) ? error.exact : {}),
});
