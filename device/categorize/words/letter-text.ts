/** How much of a letter is looked at: what somebody wants stands at its front, or in a line of its own. */
const mostCharacters = 20_000;
const mostSentences = 120;
const longestSentence = 600;

/** Where an answer begins to repeat what it answers, in five languages. */
const repeats =
  /^(?:-{2,} ?(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale) ?-{2,}|on .{4,120} wrote:|am .{4,120} schrieb.{0,120}:|le .{4,120} a écrit ?:|el .{4,120} escribió:|il .{4,120} ha scritto:)\s*$/iu;

/** A sentence as it stands in the text. */
export interface Sentence {
  /** Verbatim, on one line of the text. */
  readonly text: string;
  readonly isQuestion: boolean;
}

/** What its sender wrote, sentence by sentence: what is quoted of others, and a signature, are left out. */
export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = [];
  for (const line of text.slice(0, mostCharacters).split("\n")) {
    const trimmed = line.trim();
    if (trimmed === "--" || repeats.test(trimmed.slice(0, 300))) break;
    if (trimmed.startsWith(">") || trimmed.startsWith("|")) continue;
    for (const sentence of trimmed.split(/(?<=[.!?…])(?<!\d\.)\s+/u)) {
      if (sentence === "" || sentence.length > longestSentence) continue;
      found.push({ text: sentence, isQuestion: /\?\p{Pe}?$/u.test(sentence) });
      if (found.length >= mostSentences) return found;
    }
  }
  return found;
}
