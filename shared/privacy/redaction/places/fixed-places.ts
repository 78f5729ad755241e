import type { AddCredential } from "../credential.ts";
import { isPlaceholder } from "../randomness/placeholders.ts";

/** Words behind which a secret stands in a place of its own, whatever it looks like; lower case. */
export const fixedPlaceKeywords = [
  "wifi:",
  "-storepass",
  "-keypass",
  "convertto-securestring",
  "--from-literal",
  ":5432:",
] as const;

/** What a QR code for a wireless network says: fields in any order, `;` and `\` behind a `\`. */
const wifi = /(?:[a-oq-z]\d?:(?:[^;\\\n]|\\.){0,200};){0,6}P:((?:[^;\\\n]|\\.){3,200});/iy;
/** An argument: in quotes, or up to what ends a word in a shell. */
const argument = String.raw`(?:"([^"\n]{3,200})"|'([^'\n]{3,200})'|([^\s"'|;&$()-][^\s"'|;&()]{2,200}))`;
const javaStore = new RegExp(`[ ]{1,4}${argument}`, "y");
const secureString = new RegExp(`(?:[ ]{1,4}-[a-z]{1,20}){0,4}[ ]{1,4}${argument}`, "iy");
/** `--from-literal=name=value`, quotes around both or around the value. */
const literal =
  /[ =]{1,2}(?:"[\w.-]{1,253}=([^"\n]{3,300})"|'[\w.-]{1,253}=([^'\n]{3,300})'|[\w.-]{1,253}=(?:"([^"\n]{3,300})"|'([^'\n]{3,300})'|([^\s"'|;&$][^\s"'|;&]{2,300})))/y;
const createsSecret = /\bcreate\s{1,9}secret\b/;
/** A command goes on over lines; one for a Secret has a few of these. */
const commandCharacters = 1_000;
/** PostgreSQL's file of passwords: `host:port:database:user:password`, all of a line. */
const passwordLine = /[^\s:]{1,64}:[^\s:]{1,64}:((?:[^\s:\\]|\\.){3,200})[ \t]{0,8}$/my;
const hostBefore = /(?:^|\n)[\w.*-]{1,200}$/;

/** Looks at the places of one text that {@link fixedPlaceKeywords} mark. */
export class FixedPlaces {
  readonly #text: string;
  readonly #add: AddCredential;

  constructor(text: string, add: AddCredential) {
    this.#text = text;
    this.#add = add;
  }

  onPlace(word: (typeof fixedPlaceKeywords)[number], end: number): void {
    switch (word) {
      case "wifi:":
        this.#note(wifi, end);
        return;
      case "-storepass":
      case "-keypass":
        this.#note(javaStore, end);
        return;
      case "convertto-securestring":
        this.#note(secureString, end);
        return;
      case "--from-literal":
        if (createsSecret.test(this.#text.slice(Math.max(0, end - commandCharacters), end))) this.#note(literal, end);
        return;
      case ":5432:":
        if (hostBefore.test(this.#text.slice(Math.max(0, end - word.length - 201), end - word.length)))
          this.#note(passwordLine, end);
        return;
    }
  }

  /** The first group that has something is the secret; it stands at the end, a quote or a `;` behind it. */
  #note(pattern: RegExp, end: number): void {
    pattern.lastIndex = end;
    const match = pattern.exec(this.#text);
    const value = match?.slice(1).find((group) => group !== undefined) ?? "";
    if (match === null || value.includes("\u27e6") || isPlaceholder(value)) return;
    const start = end + match[0].lastIndexOf(value);
    this.#add(start, start + value.length, "password");
  }
}
