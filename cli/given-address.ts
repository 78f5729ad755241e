import { requireEncrypted } from "../device/connect/encrypted-address.ts";
import { DeviceError } from "../device/errors.ts";

/** An address as a person has typed it. @throws DeviceError `usage` when it is none */
export function addressGiven(text: string): string {
  if (URL.canParse(text)) return text;
  const named = text.trim() === "" ? "An empty text" : text;
  throw new DeviceError("usage", { sentence: `${named} is no address. Write it as https://home.example.com.` });
}

/**
 * The address of a home or an issuer that is sent secrets.
 *
 * @throws DeviceError `usage` when it is none, `address_insecure` when what is sent there could be read on the way
 */
export const encryptedAddressGiven = (text: string): string => requireEncrypted(addressGiven(text)).href;
