import { textEncodingOf } from "../../files/text/text-encoding.ts";
import { isPasswordExport } from "./sensitivity.ts";

/** As much as tells a list of passwords, in any encoding. */
export const headBytes = 32 * 1024;
export const listOfPasswords = "It is a list of passwords, as browsers and password managers export it.";

/** Whether a file is one by what it begins with, whatever its name says. */
export function isListOfPasswords(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, headBytes);
  const encoding = textEncodingOf(head, head.length === bytes.length);
  if (encoding === undefined) return false;
  return isPasswordExport(new TextDecoder(encoding.label).decode(head, { stream: true }));
}
