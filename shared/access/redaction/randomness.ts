/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Words that people put where a credential goes. */
const stand =
  /x{6,}|\*{3,}|#{4,}|\.{3}|0{12,}|example|sample|dummy|placeholder|changeme|change_me|change-me|redacted|your[_-]|[_-]here$|insert[_-]/i;

/** Whether a text only stands where a credential would: `xxxxxxxx`, `<token>`, `${TOKEN}`, `your-key-here`. */
export function isStandIn(text: string): boolean {
  if (stand.test(text) || /^[<[{(%$].*|^\W+$/.test(text)) return true;
  return new Set(text).size <= Math.min(5, text.length / 3) || /^(.{1,4})\1{3,}/.test(text);
}

/** How many changes between letters, digits and case a text has for its length: high in random text, low in words. */
function turns(text: string): number {
  let count = 0;
  let before = "";
  for (const character of text) {
    const kind = /[a-z]/.test(character) ? "a" : /[A-Z]/.test(character) ? "A" : /\d/.test(character) ? "0" : ".";
    if (before !== "" && kind !== before) count++;
    before = kind;
  }
  return count / text.length;
}

const wordParts = /[A-Z]?[a-z]{3,}|[A-Z]{4,}(?![a-z])/g;
const unpronounceable = /[bcdfghjklmnpqrstvwxz]{5,}/i;

/** The share of a text that reads as words: names in code, addresses, styles. */
function wordShare(text: string): number {
  let letters = 0;
  for (const [part] of text.matchAll(wordParts)) {
    if (/[aeiouy]/i.test(part) && !unpronounceable.test(part)) letters += part.length;
  }
  return letters / text.length;
}

/**
 * Whether a text looks drawn at random rather than written: enough entropy, digits, and no rhythm of words.
 *
 * @param maxWordShare how much of it may read as words; more where its name says that it is a credential
 */
export function looksRandom(text: string, maxWordShare = 0.5): boolean {
  if (/^[a-f0-9-]+$/i.test(text)) return /\d/.test(text) && entropyOf(text) > 2.6;
  const isMixed = /\d/.test(text) && /[A-Za-z]/.test(text);
  // Letters alone: only long ones in which the case jumps about, or that nobody could say.
  if (!isMixed && (text.length < 20 || !/[a-z]/.test(text) || (turns(text) < 0.3 && !unpronounceable.test(text))))
    return false;
  if (wordShare(text) > maxWordShare) return false;
  return entropyOf(text) >= Math.min(3.4, Math.log2(text.length) * 0.72) && turns(text) >= 0.14;
}
