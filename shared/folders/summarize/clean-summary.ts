import { maxSummaryCharacters } from "../../../events/frames/folders.ts";
import { Redactor } from "../../privacy/redaction/redact.ts";
import { wholeCharacters } from "../../text/whole-characters.ts";

/** Controls, formats (zero width, bidirectional), separators, lone surrogates, private use. */
const unwanted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+/gu;
/** Looking for credentials takes longer the longer the text is; no honest answer is longer than this. */
const maxReadCharacters = 4 * maxSummaryCharacters;

/**
 * A model's words as one line a manifest can hold: no controls, no credentials, at most 500 characters. A credential is
 * taken out before the line is cut, so that no half of one stays.
 */
export function cleanSummary(text: string, redactor: Redactor = new Redactor()): string {
  const line = text.slice(0, maxReadCharacters).replace(unwanted, " ").replace(/\s+/g, " ").trim();
  const { text: shown } = redactor.redact(line);
  return shown.length <= maxSummaryCharacters
    ? shown
    : `${wholeCharacters(shown, maxSummaryCharacters - 1).trimEnd()}…`;
}
