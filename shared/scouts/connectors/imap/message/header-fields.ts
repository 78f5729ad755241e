import { decodeText } from "../../mail/decode-text.ts";
import type { HeaderField } from "../../mail/part.ts";

/** More fields than this are nobody's; real mail has some eighty. */
const maxFields = 2_000;

/**
 * The fields of a header block (RFC 5322 §2.2), unfolded; a last one that was cut off stays as far as it goes.
 *
 * @param decode the bytes of the block; as text unless told
 */
export function headerFields(
  bytes: Uint8Array,
  decode: (bytes: Uint8Array) => string = (raw) => decodeText(raw, ""),
): HeaderField[] {
  const fields: { name: string; value: string }[] = [];
  for (const line of decode(bytes).split(/\r?\n/)) {
    if (line === "") break;
    const last = fields.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last) last.value += ` ${line.trim()}`;
      continue;
    }
    const [, name, value = ""] = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (fields.length === maxFields) break;
    fields.push({ name, value: value.trim() });
  }
  return fields;
}
