import type { Credential } from "./credential.ts";
import { nameKeywords } from "./names/credential-names.ts";
import { NamedValues } from "./names/named-values.ts";
import { CommandLines, placeKeywords } from "./places/command-lines.ts";
import { FixedPlaces, fixedPlaceKeywords } from "./places/fixed-places.ts";
import { addJsonWebKeys, jsonWebKeyword } from "./places/json-web-keys.ts";
import { KubernetesSecrets, secretKindKeywords } from "./places/kubernetes-secrets.ts";
import { KeyBlocks, keyBlockKeywords } from "./places/private-keys.ts";
import { redactTable } from "./places/tables.ts";
import { randomBits } from "./randomness/randomness.ts";
import { FormatMatcher, formatKeywords } from "./tokens/format-matcher.ts";
import { KeywordScan } from "./tokens/keyword-scan.ts";

export type { Credential } from "./credential.ts";

const names = [...new Set(nameKeywords)];
const firstName = formatKeywords.length;
const firstPlace = firstName + names.length;
const firstBlock = firstPlace + placeKeywords.length;
const firstSecretKind = firstBlock + keyBlockKeywords.length;
const firstFixedPlace = firstSecretKind + secretKindKeywords.length;
const jsonWebKey = firstFixedPlace + fixedPlaceKeywords.length;
/** Built at the first use: a worker that judges no text pays nothing. */
let scan: KeywordScan | undefined;

/**
 * Credentials in a text: by known form, in addresses, headers and commands, private keys, and the values of names that say
 * "credential", as far as they are not placeholders, types, references or words about credentials. One pass over the text
 * finds where to look; what is looked at there is bounded. Linear in the length of the text.
 *
 * @returns ascending, disjoint
 */
export function findCredentials(text: string): Credential[] {
  scan ??= new KeywordScan([
    ...formatKeywords,
    ...names,
    ...placeKeywords,
    ...keyBlockKeywords,
    ...secretKindKeywords,
    ...fixedPlaceKeywords,
    jsonWebKeyword,
  ]);
  const found: Credential[] = [];
  const add = (start: number, end: number, kind: string) => {
    if (end > start) found.push({ start, end, kind });
  };
  const formats = new FormatMatcher(text);
  const named = new NamedValues(text, add);
  const places = new CommandLines(text, add);
  const blocks = new KeyBlocks(text, add);
  const secrets = new KubernetesSecrets(text, add);
  const fixed = new FixedPlaces(text, add);
  let [lineChecked, tableEnd] = [-1, 0];
  let hasJsonWebKey = false;
  scan.scan(text, (word, end) => {
    if (word < firstName) {
      const token = formats.tokenAt(word, end);
      if (token !== undefined) add(token.start, token.end, token.kind);
    } else if (word < firstPlace) {
      named.onWord(end - (names[word - firstName]?.length ?? 0), end);
      if (end < tableEnd) return;
      const lineStart = end > lineChecked ? text.lastIndexOf("\n", end - 1) + 1 : -1;
      if (lineStart === -1) return;
      const lineEnd = text.indexOf("\n", end);
      lineChecked = lineEnd === -1 ? text.length : lineEnd;
      tableEnd = redactTable(text, lineStart, add) ?? tableEnd;
    } else if (word < firstBlock) {
      const place = placeKeywords[word - firstPlace];
      if (place !== undefined) places.onPlace(place, end);
    } else if (word < firstSecretKind) {
      const block = keyBlockKeywords[word - firstBlock];
      if (block !== undefined) blocks.onPlace(block, end);
    } else if (word < firstFixedPlace) {
      const kind = secretKindKeywords[word - firstSecretKind];
      if (kind !== undefined) secrets.onPlace(kind, end);
    } else if (word < jsonWebKey) {
      const place = fixedPlaceKeywords[word - firstFixedPlace];
      if (place !== undefined) fixed.onPlace(place, end);
    } else hasJsonWebKey = true;
  });
  if (hasJsonWebKey) addJsonWebKeys(text, add);
  findAgain(text, found, add);
  return disjoint(found);
}

/** Characters that may be looked at for repetitions: a text full of credentials is not searched for each of them. */
const maxRepetitionWork = 100_000_000;
const minRepeatedChars = 12;

/** What is a credential in one place is one everywhere. */
function findAgain(
  text: string,
  found: readonly Credential[],
  add: (start: number, end: number, kind: string) => void,
): void {
  const kinds = new Map<string, string>();
  for (const { start, end, kind } of found) {
    const value = text.slice(start, end);
    if (value.length >= minRepeatedChars && kind !== "private-key" && randomBits(value) > 8) kinds.set(value, kind);
  }
  if (kinds.size * text.length > maxRepetitionWork) return;
  for (const [value, kind] of kinds) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      add(at, at + value.length, kind);
    }
  }
}

/** Earlier and longer wins; of the same two, the one that says more. */
function disjoint(found: readonly Credential[]): Credential[] {
  const result: Credential[] = [];
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end || generality(a) - generality(b))) {
    const last = result.at(-1);
    if (last === undefined || each.start >= last.end) result.push(each);
    else if (each.end > last.end) result.splice(-1, 1, { ...last, end: each.end });
  }
  return result;
}

const generality = ({ kind }: Credential) => (/^(?:token|secret|password|authorization|cookie)$/.test(kind) ? 1 : 0);
