/** A property and its value, in lower case (CSS Syntax 3, §5.4.5). */
export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
}

/** The properties that decide whether text is seen. */
const looked: ReadonlySet<string> = new Set(
  (
    "display visibility opacity color text-indent left top clip overflow max-height max-width height width " +
    "font-size background-color background-image"
  ).split(" "),
);
const mostDeclarations = 300;

/** What programs do not know they pass over; a word that is none must not take the place of the one before it. */
const known: ReadonlyMap<string, RegExp> = new Map([
  [
    "display",
    /^(?:none|block|inline|contents|flow-root|list-item|run-in|(?:inline-)?(?:block|flex|grid|table|box)|table-[a-z-]{1,30}|-(?:webkit|ms|moz)-[a-z-]{1,30}|inherit|initial|unset|revert)$/,
  ],
  ["visibility", /^(?:visible|hidden|collapse|inherit|initial|unset|revert)$/],
  ["opacity", /^(?:[\d.]{1,20}%?|inherit|initial|unset|revert)$/],
]);

/** Reads the declarations of a style that say whether text is seen, in order; linear in its length. */
export function declarationsIn(style: string): Declaration[] {
  return style.toLowerCase().split(";", mostDeclarations).flatMap(declarationsOf);
}

function declarationsOf(piece: string): Declaration[] {
  const colon = piece.indexOf(":");
  if (colon < 0) return [];
  const property = piece.slice(0, colon).trim();
  const [written = "", ...more] = piece.slice(colon + 1).split("!", 2);
  const value = written.slice(0, 300).trim();
  const isImportant = more.some((word) => word.trim() === "important");
  if (value === "" || known.get(property)?.test(value) === false) return [];
  const of = (name: string, said: string): Declaration => ({ property: name, value: said, isImportant });
  // What stands for several properties sets each of them.
  if (property === "background") {
    return [of("background-image", /url\(|gradient/.test(value) ? value : "none"), of("background-color", value)];
  }
  if (property === "font")
    return [of("font-size", /(?:^|\s)(\d*\.?\d+(?:[a-z]{2,3}|%)?)/.exec(value)?.[1] ?? "medium")];
  return looked.has(property) ? [of(property, value)] : [];
}
