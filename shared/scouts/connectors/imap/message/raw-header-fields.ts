import type { HeaderField } from "../../mail/part.ts";

/** More fields than this are nobody's; real mail has some eighty. */
const maxFields = 2_000;

/**
 * The fields of a header block (RFC 5322 §2.2), unfolded, with one character for each byte; a last one that was cut off stays
 * as far as it goes.
 */
export function rawHeaderFields(bytes: Uint8Array): HeaderField[] {
  const fields: { name: string; value: string }[] = [];
  for (const line of Buffer.from(bytes).toString("latin1").split(/\r?\n/)) {
    if (line === "") break;
    const last = fields.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last) last.value += ` ${withoutBlanks(line)}`;
      continue;
    }
    const [, name, value = ""] = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (fields.length === maxFields) break;
    fields.push({ name, value: withoutBlanks(value) });
  }
  return fields;
}

/** Blanks of ASCII: what else a byte alone seems to be, a character of several may end with. */
function withoutBlanks(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && " \t".includes(line.charAt(start))) start += 1;
  while (end > start && " \t".includes(line.charAt(end - 1))) end -= 1;
  return line.slice(start, end);
}
