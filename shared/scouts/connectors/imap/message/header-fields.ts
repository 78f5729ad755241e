import { charsetOfFields, decodeField } from "../../mail/charset/decode-text.ts";
import { withKnownWords } from "../../mail/charset/older-charsets.ts";
import { fieldOf, type HeaderField, parameterOf } from "../../mail/part.ts";
import { rawHeaderFields } from "./raw-header-fields.ts";

/** {@link rawHeaderFields} as text. */
export function headerFields(bytes: Uint8Array): HeaderField[] {
  const fields = rawHeaderFields(bytes);
  const declared = parameterOf(fieldOf(fields, "content-type"), "charset");
  const values = fields.map(({ value }) => value);
  const charset = charsetOfFields(values, declared);
  return fields.map(({ name, value }) => ({ name, value: withKnownWords(decodeField(value, charset).trim()) }));
}
