/**
 * What stands between a name and its value. `assign`: `:` `=` `=>`; `compare`: `==`; `call`: `name("…")`; `comma`:
 * `"name", "…"`; `tag`: `<name>…<`; `beside`: `key="name" value="…"`; `space`: `--name …`; `is`: a sentence; `cell`: a table.
 */
export type SeparatorKind = "assign" | "compare" | "call" | "comma" | "tag" | "beside" | "space" | "is" | "cell";

export interface Separator {
  readonly kind: SeparatorKind;
  /** Where the value begins. */
  readonly end: number;
  /** The name stands in quotes. */
  readonly isQuoted: boolean;
}

// All bounded, each alternative told by its first character: a few steps at most.
const closing = /(?:\\{0,3}["'`\]]|&(?:quot|#34|#39);|\*{1,2}|\?|!){0,3}/y;
const note = /[ \t]?\((?!["'`])[^()\n"'`=]{1,24}\)(?=[ \t]{0,3}[:=])/y;
const annotation =
  /[ \t]{0,4}(?::[ \t]{0,2}|[ \t])(?:&(?:'static )?str|[Ss]tring\??|str|SecretStr|\[\]byte|any|Optional\[str\]|varchar)(?:[ \t]?\|[ \t]?\w{1,12}){0,2}(?=[ \t]{0,3}:?=)/y;
const operator =
  /[ \t]{0,40}(?:(===?|!==?)|(-[ \t](?=["'])|\|\||\?\?|:-|:=|=>|->|=|:(?!:)|：|→)|(\|)|(,)|(\())[ \t]{0,40}/y;
const tagEnd = /(?:[ \t][^<>\n]{0,120})?>\s{0,20}/y;
const besideValue =
  /\\?["'`]?\s{0,40},?\s{0,40}(?:-\s)?\\?["'`]?(?:value|default|content|string)\\?["'`]?[ \t]{0,4}[:=>][ \t]{0,4}/iy;
const besideTag = /["']\s{0,8}(?:[\w-]{1,20}="[^"<>]{0,60}"\s?){0,2}>/y;
const plistTag = /<\/key>\s{0,40}<string>/y;
const sentence =
  /[ \t]{0,3}(?:\([^()\n]{1,30}\) ?)?(?:(?:for|of|to|für|pour|para|per)(?: [^\s:]{1,40}){1,4}? )?(?:is now|is|was|lautet|ist|es|est|è|é|jest|är|er|to|are)(?: now)?(?:[ \t]{0,2}:)?\s{1,2}/iy;
const eastern = /[ \t]{0,2}(?:は|が|是|为|為|는|은|이)[ \t]{0,2}[:：]?[ \t]{0,2}/y;
const blanks = /[ \t]{1,8}/y;

const at = (pattern: RegExp, text: string, place: number): RegExpExecArray | null => {
  pattern.lastIndex = place;
  return pattern.exec(text);
};

/** The separators that may follow a name, the surest first. */
export function separatorsAt(text: string, nameStart: number, nameEnd: number): Separator[] {
  const before = text.charAt(nameStart - 1);
  const close = at(closing, text, nameEnd)?.[0] ?? "";
  const isQuoted = /["'`;]/.test(close) && /["'`;]/.test(before);
  const found: Separator[] = [];
  const add = (kind: SeparatorKind, match: RegExpExecArray | null) => {
    if (match !== null) found.push({ kind, end: match.index + match[0].length, isQuoted });
  };
  if (
    before === "<" ||
    (before === ":" && /<[\w.-]{1,30}:$/.test(text.slice(Math.max(0, nameStart - 32), nameStart)))
  ) {
    add("tag", at(tagEnd, text, nameEnd));
    return found;
  }
  if (before === ">") add("tag", at(plistTag, text, nameEnd));
  if (/^(?:\\{0,3}["'`])/.test(close) || /[:=]\s?$/.test(text.slice(Math.max(0, nameStart - 3), nameStart))) {
    add("beside", at(besideValue, text, nameEnd));
    if (found.length === 0) add("beside", at(besideTag, text, nameEnd));
    if (found.length > 0) return found;
  }
  let place = nameEnd + close.length;
  place += at(note, text, place)?.[0].length ?? 0;
  place += at(annotation, text, place)?.[0].length ?? 0;
  const match = at(operator, text, place);
  if (match !== null) {
    const [, compare, assign, cell, comma] = match;
    const kind = compare ? "compare" : assign ? "assign" : cell ? "cell" : comma ? "comma" : "call";
    add(kind, match);
    return found;
  }
  add("is", at(eastern, text, place) ?? at(sentence, text, place));
  if (found.length === 0) add("space", at(blanks, text, place));
  return found;
}
