/** How much of a letter is looked at: what somebody wants stands at its front, or in a line of its own. */
const mostCharacters = 20_000;
const mostSentences = 120;
const longestSentence = 600;

/** Where an answer begins to repeat what it answers, in five languages. */
const repeats =
  /^(?:-{2,} ?(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale) ?-{2,}|on .{4,120} wrote:|am .{4,120} schrieb.{0,120}:|le .{4,120} a écrit ?:|el .{4,120} escribió:|il .{4,120} ha scritto:)\s*$/iu;
/** The end of such a line that was too long for one. */
const repeatsEnd = /^(?:<[^<>]{3,120}> ?)?(?:(?:wrote|schrieb|a écrit|escribió|ha scritto) ?)?:$/iu;
/** Where a mail begins that is passed on. */
const passesOn =
  /^(?:-{2,} ?(?:forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato) ?-{2,}|(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié|inizio messaggio inoltrato) ?:)\s*$/iu;
/** The fields that stand above a mail within another, as Outlook and others write them; the sender's comes first. */
const firstField = /^\*?(?:from|von|de|da) ?:\*? ?\S/iu;
const laterField =
  /^\*?(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|objet|à|enviado(?: el)?|fecha|para|asunto|inviato|data|a|oggetto) ?:/iu;
/** Of the lines behind the first field, how many are looked at, and how many have to be fields. */
const block = { lines: 4, fields: 2 } as const;

/** What somebody has written, and the mail they pass on below it. */
export interface Letter {
  readonly own: string;
  /** Without the fields above it; empty where none is passed on. */
  readonly passedOn: string;
}

/**
 * Takes a letter apart at the first line that begins another one: what an answer repeats goes.
 *
 * @param isForward whether its subject says that it passes one on: programs write the same above both
 */
export function takenApart(text: string, isForward: boolean): Letter {
  const lines = text.slice(0, mostCharacters).split("\n");
  for (const [at, line] of lines.entries()) {
    const trimmed = line.trim();
    const isPassed = passesOn.test(trimmed);
    if (!isPassed && !repeatsAt(lines, at) && !isBlock(lines, at)) continue;
    const own = lines.slice(0, at).join("\n");
    if (!isPassed && !isForward) return { own, passedOn: "" };
    const below = lines.slice(isBlock(lines, at) ? at : at + 1);
    const first = below.findIndex((each) => !firstField.test(each.trim()) && !laterField.test(each.trim()));
    return { own, passedOn: below.slice(Math.max(0, first)).join("\n") };
  }
  return { own: lines.join("\n"), passedOn: "" };
}

function repeatsAt(lines: readonly string[], at: number): boolean {
  const line = (lines[at] ?? "").trim().slice(0, 300);
  const next = (lines[at + 1] ?? "").trim().slice(0, 300);
  return repeats.test(line) || (repeatsEnd.test(next) && repeats.test(`${line} ${next}`));
}

function isBlock(lines: readonly string[], at: number): boolean {
  if (!firstField.test((lines[at] ?? "").trim())) return false;
  const behind = lines.slice(at + 1, at + 1 + block.lines);
  return behind.filter((line) => laterField.test(line.trim())).length >= block.fields;
}

/** A sentence as it stands in the text. */
export interface Sentence {
  /** Verbatim, on one line of the text. */
  readonly text: string;
  readonly isQuestion: boolean;
}

/** Where a full stop ends no sentence. */
const shortened = "(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|[ap]\\.m|mr|mrs|ms|dr|prof|nr|no|ca|approx)";
const sentenceEnd = new RegExp(`(?<=[.!?…])(?<!\\d\\.)(?<!(?<!\\p{L})${shortened}\\.)\\s+`, "iu");

/** What its sender wrote, sentence by sentence: what is quoted of others, and a signature, are left out. */
export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = [];
  for (const line of text.slice(0, mostCharacters).split("\n")) {
    const trimmed = line.trim();
    if (trimmed === "--") break;
    if (trimmed.startsWith(">") || trimmed.startsWith("|")) continue;
    for (const sentence of trimmed.split(sentenceEnd)) {
      if (sentence === "" || sentence.length > longestSentence) continue;
      found.push({ text: sentence, isQuestion: /\?\p{Pe}?$/u.test(sentence) });
      if (found.length >= mostSentences) return found;
    }
  }
  return found;
}
