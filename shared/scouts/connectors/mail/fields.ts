import { addressParser, decodeWords } from "postal-mime";
import type { Sender } from "../connector.ts";
import { fieldOf, fieldsOf, type HeaderField } from "./part.ts";

/** Longest header value that is looked at; a subject is shown to 500 characters, encoded ones take three times that. */
const mostFieldCharacters = 8_000;
/** For those that name people: 5,000 recipients are some 200,000 characters. */
const mostAddressCharacters = 64_000;
/** A field that should come once may come often. */
const mostFields = 5;

/** A field's value with its encoded words decoded (RFC 2047). */
export function decodedField(value: string): string {
  const looked = value.slice(0, mostFieldCharacters).trim();
  return looked.includes("=?") ? decodeWords(looked) : looked;
}

/**
 * The first person of a From field. Split before decoding, so that nothing in an encoded name can pass for an address; of
 * several addresses in brackets the last one is the address, the others are part of a name.
 */
export function senderOf(headers: readonly HeaderField[]): Sender {
  const from = (fieldOf(headers, "from") || fieldOf(headers, "sender")).slice(0, mostFieldCharacters).trim();
  const people = addressParser(from, { flatten: true });
  const [first] = people;
  if (!first) return { name: decodedField(from), address: "" };
  const at = people.findIndex(({ address }) => address !== undefined && address !== "");
  const { name = "", address = "" } = people[at] ?? first;
  // A comma in a name without quotes, or in one that was decoded before, makes of a person a name and a person.
  if (at > 0) {
    const pieces = people.slice(0, at).map((each) => each.name ?? "");
    return { name: [...pieces, name].filter((piece) => piece !== "").join(", "), address };
  }
  const last = /<(?=[^<>\s]+@[^<>\s])([^<>\s]+)>$/.exec(from);
  if (people.length > 1 || !last?.[1] || last[1] === address) return { name, address };
  return { name: decodedField(from.slice(0, last.index).replaceAll('"', "")), address: last[1] };
}

/** The addresses of all fields of these names, lower case. */
export function addressesIn(headers: readonly HeaderField[], ...names: readonly string[]): ReadonlySet<string> {
  const values = names.flatMap((name) => fieldsOf(headers, name).slice(0, mostFields));
  return new Set(
    values.flatMap((value) =>
      addressParser(value.slice(0, mostAddressCharacters), { flatten: true }).map(({ address = "" }) =>
        address.toLowerCase(),
      ),
    ),
  );
}
