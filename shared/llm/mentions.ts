/** What a message names as `@Name` or `@"Name"`; places in its NFC form, `end` behind the last character. */
export interface Mention {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Between which a name may stand behind its @, so that it is plain where it ends. */
const quotes = ['""', "''", "“”", "„“", "„”", "«»", "»«"] as const;

/** Names in a message, in any letters, in the order they stand there. Where one name begins or lies in another's, the longer one is meant. */
export function mentionsOf(message: string, names: readonly string[]): Mention[] {
  const text = lowered(message);
  const found: Mention[] = [];
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const wanted = lowered(name);
    for (const form of [wanted, ...quotes.map(([open, close]) => `${open}${wanted}${close}`)]) {
      for (let start = text.indexOf(`@${form}`); start !== -1; start = text.indexOf(`@${form}`, start + 1)) {
        const end = start + 1 + form.length;
        const isWithin = found.some((other) => other.start <= start && start < other.end);
        const isEnded = form !== wanted || endsThere(text, end);
        if (!isWithin && isEnded && beginsThere(text, start)) found.push({ name, start, end });
      }
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** A message without the names it mentions: they say whom it is for. As it is, when nothing else is in it. */
export function withoutMentions(message: string, names: readonly string[]): string {
  const text = message.normalize("NFC");
  let [kept, from] = ["", 0];
  for (const { start, end } of mentionsOf(message, names)) {
    kept += `${text.slice(from, start)} `;
    from = end;
  }
  const rest = (kept + text.slice(from)).trim();
  return from > 0 && /[\p{L}\p{N}]/u.test(rest) ? rest : message;
}

/** Composed, in small letters, each character as long as it was. */
const lowered = (text: string): string =>
  [...text.normalize("NFC")]
    .map((each) => (each.toLowerCase().length === each.length ? each.toLowerCase() : each))
    .join("");

/** An address (`ann@garden.example`) mentions nobody. */
const beginsThere = (text: string, start: number): boolean =>
  !/[\p{L}\p{N}._-]$/u.test(text.slice(Math.max(0, start - 2), start));

/** `@Gardens` is not `@Garden`. */
const endsThere = (text: string, end: number): boolean =>
  !/^[\p{L}\p{N}_-]|^\.[\p{L}\p{N}]/u.test(text.slice(end, end + 3));
