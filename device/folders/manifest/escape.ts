import { escapedName } from "../../../shared/privacy/delimiters.ts";

/** Names that can stand as they are: no space, quote, colon, bracket or control, so that a line has one reading only. */
const plainName = /^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}._@+~=,%#$!^{}[\]/-]+$/u;

/** Controls, format characters (bidi, zero-width), lone surrogates, line and paragraph separators, angle brackets. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>]/gu;

/** A path or name in a manifest: as it is when it is harmless, else as a JSON string without anything that could end it. */
export function manifestName(name: string): string {
  return plainName.test(name) ? name : escapedName(name);
}

/**
 * Text of somebody else's as one line that can neither break out of its line nor out of its block: white space becomes
 * a space, what controls or hides becomes `\uXXXX`, and so do angle brackets.
 */
export function manifestText(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .trim()
    .replaceAll("\\", "\\\\")
    .replace(unsafe, (character) =>
      Array.from(
        { length: character.length },
        (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`,
      ).join(""),
    );
}

/** The first so many characters (code points), at a word's end where one is near; an ellipsis says that more was there. */
export function shortened(text: string, characters: number): string {
  const points = Array.from(text);
  if (points.length <= characters) return text;
  const kept = points.slice(0, characters - 1).join("");
  const space = kept.lastIndexOf(" ");
  return `${(space > kept.length * 0.7 ? kept.slice(0, space) : kept).trimEnd()}…`;
}
