/**
 * How much of each text a language model is shown, in characters; about four make a token of English prose. Everything
 * that goes into a prompt is cut by these and here, in the cloud as on the device.
 */
export const shownCharacters = {
  /** Of a letter, with the beginning of its other version where there is one. */
  letter: 2_000,
  /** Of a subject, a sender, a list's name. */
  header: 300,
  attachmentName: 80,
  /** Of a file to be summarised: its beginning and its end. */
  file: 48_000,
  /** Of a person's question. */
  question: 48_000,
  /** Of what was said before a question, the newest of it. */
  earlier: 16_000,
  /** Of what a tool answered. The device cuts before: the room is for what it says about the cut. */
  toolResult: 48_000,
  deviceResult: 44_000,
  /** Of one file at once; the rest is asked for by lines. */
  filePage: 24_000,
  /** Of a result whose whole is kept as an artifact. */
  keptResult: 25_000,
  /** Of each of the three texts of a merge: they must fit the model's window, and one of them its answer. */
  merge: 40_000,
} as const;

/** The beginning of a text, never with half a character at its end, which model services refuse. */
export function head(text: string, characters: number): string {
  return text.slice(0, characters).toWellFormed();
}

/** Beginning and end of a long text: both say what a file is. */
export function headAndTail(text: string, characters: number): string {
  if (text.length <= characters) return text.toWellFormed();
  const half = characters / 2;
  return `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`.toWellFormed();
}

/** The beginning of a long text, and in words how much is missing. */
export function headWithNote(text: string, characters: number): string {
  const left = text.length - characters;
  return left <= 0 ? text : `${head(text, characters)}\n[${left} more characters are not shown; ask for a part of it]`;
}
