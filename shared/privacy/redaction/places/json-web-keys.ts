import type { AddCredential } from "../credential.ts";

/** What every JSON Web Key says of itself (RFC 7517 §4.1). */
export const jsonWebKeyword = "kty";

/**
 * Braces, and in them `kty` and the members that are private: of elliptic curves and RSA (RFC 7518 §6.2.2, §6.3.2), of a
 * symmetric key (§6.4.1). In code names stand without quotes, in a string of JSON behind backslashes. All but the value is
 * bounded, and a value is walked once.
 */
const parts =
  /[{}]|(?<![\w$-])(?:\\{0,3}["'])?(kty|dp|dq|qi|[dpqk])(?:\\{0,3}["'])?\s{0,20}:\s{0,20}\\{0,3}["']([A-Za-z0-9_-]+)/g;
/** A symmetric key of 64 bits; what is shorter only stands for one. */
const leastChars = 11;

interface Value {
  readonly start: number;
  readonly end: number;
}

interface JsonObject {
  isKey: boolean;
  /** Of its own private members, whether or not it turns out to be a key. */
  readonly values: Value[];
}

/** Notes the private members of JSON Web Keys; what is public of one stays. Linear in the length of the text. */
export function addJsonWebKeys(text: string, add: AddCredential): void {
  const open: JsonObject[] = [];
  const close = ({ isKey, values }: JsonObject) => {
    if (isKey) for (const { start, end } of values) add(start, end, "private-key");
  };
  for (const { 0: part, 1: name, 2: value = "", index } of text.matchAll(parts)) {
    const object = open.at(-1);
    if (part === "{") open.push({ isKey: false, values: [] });
    else if (part === "}") {
      open.pop();
      if (object !== undefined) close(object);
    } else if (object !== undefined && name === "kty") object.isKey = true;
    else if (object !== undefined && value.length >= leastChars) {
      const end = index + part.length;
      object.values.push({ start: end - value.length, end });
    }
  }
  // A text that was cut off.
  for (let object = open.pop(); object !== undefined; object = open.pop()) close(object);
}
