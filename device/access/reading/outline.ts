export interface OutlineEntry {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** Lines that name a part of a text, in the languages people write most; bounded, so that no line can stall it. */
const naming: readonly RegExp[] = [
  /^#{1,6} \S/,
  /^(?:export |default |declare |abstract |async |public |private |protected |static |final |override |pub(?:\([a-z]{1,10}\))? |unsafe |open |internal |sealed |data |inline ){0,6}(?:function\*?|class|interface|type|enum|namespace|module|struct|trait|impl|fn|func|def|object|protocol|extension|record|macro_rules!|union)\b/,
  /^ {0,4}(?:async )?(?:def|class) \w/,
  /^(?:export )?(?:const|let|var) \w{1,80}\s*(?::[^=]{0,120})?= (?:async )?(?:\(|function)/,
  /^export (?:const|let|var) \w/,
  /^\[[\w."-]{1,80}\]\s*$/,
  /^(?:CREATE|ALTER) (?:OR REPLACE )?(?:TABLE|VIEW|FUNCTION|INDEX|PROCEDURE) /i,
  /^<h[1-6][ >]/i,
];
const maxEntryChars = 120;
const maxNamingChars = 1_000;

/** Whether a line names a part of a text: a heading, or a declaration. */
export function isNaming(line: string): boolean {
  return line.length <= maxNamingChars && naming.some((pattern) => pattern.test(line));
}

/** Headings and declarations of a text, in order. */
export function outlineOf(lines: readonly string[], maxEntries = 200): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (const [index, line] of lines.entries()) {
    if (!isNaming(line)) continue;
    entries.push({
      line: index + 1,
      text: line.trim().replace(/\{$/, "").trimEnd().slice(0, maxEntryChars),
    });
    if (entries.length >= maxEntries) break;
  }
  return entries;
}
