import { linked } from "../environment.ts";

/** A symmetric key kept as base64 in a secret. */
export function secretKey(name: "AddressKey" | "TicketKey"): Uint8Array {
  return new Uint8Array(Buffer.from(linked(name).value, "base64"));
}
