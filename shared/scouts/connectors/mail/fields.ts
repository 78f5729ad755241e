import { domainToASCII } from "node:url";
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
  const people = peopleIn(from);
  const [first] = people;
  if (!first) return { name: decodedField(from), address: "" };
  const at = people.findIndex(({ address }) => address !== "");
  const { name, address } = people[at] ?? first;
  // A comma in a name without quotes, or in one that was decoded before, makes of a person a name and a person.
  if (at > 0) {
    const pieces = people.slice(0, at).map((each) => each.name);
    return { name: [...pieces, name].filter((piece) => piece !== "").join(", "), address };
  }
  const last = /<(?=[^<>\s]+@[^<>\s])([^<>\s]+)>$/.exec(from);
  if (people.length > 1 || !last?.[1] || bareAddress(last[1]) === address) return { name, address };
  return { name: decodedField(from.slice(0, last.index).replaceAll('"', "")), address: bareAddress(last[1]) };
}

/** The addresses of all fields of these names, lower case. */
export function addressesIn(headers: readonly HeaderField[], ...names: readonly string[]): ReadonlySet<string> {
  const values = names.flatMap((name) => fieldsOf(headers, name).slice(0, mostFields));
  return new Set(
    values.flatMap((value) =>
      peopleIn(value.slice(0, mostAddressCharacters)).map(({ address }) => address.toLowerCase()),
    ),
  );
}

/** Comments nest (RFC 5322 §3.2.2), which the library does not know: while it reads, brackets within one are these. */
const [opens, closes] = ["\ufdd0", "\ufdd1"];

function peopleIn(value: string): { name: string; address: string }[] {
  return addressParser(value.includes("(") ? flatComments(value) : value, { flatten: true }).map(
    ({ name = "", address = "" }) => ({
      name: name.replaceAll(opens, "(").replaceAll(closes, ")"),
      address: bareAddress(address),
    }),
  );
}

/** Quotes and brackets around all of an address, some programs' mistake, are no part of it. */
const bareAddress = (address: string): string =>
  plainHost(address.replace(/^<([^<>]*)>$/, "$1").replace(/^(["'])([^"']*)\1$/, "$2"));

/** A comment that is never closed is none: the field is as it was. */
function flatComments(value: string): string {
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  let flat = "";
  for (const character of value) {
    const isInner = depth > 1 || (depth === 1 && (character === "(" || isEscaped));
    const mark = character === "(" ? opens : closes;
    flat += (character === "(" || character === ")") && isInner ? mark : character;
    if (isEscaped) isEscaped = false;
    else if (character === "\\") isEscaped = depth > 0 || isQuoted;
    else if (character === '"' && depth === 0) isQuoted = !isQuoted;
    else if (character === "(" && !isQuoted) depth += 1;
    else if (character === ")" && depth > 0) depth -= 1;
  }
  return depth === 0 ? flat : value;
}

/** Alphabets with letters that look like Latin ones. */
const lookingLatin = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const latinLetter = /\p{Script=Latin}/u;
/** Cyrillic letters that look like Latin ones: a name of them alone is a word of no language. */
const cyrillicDoubles =
  /^[\u0430\u0441\u0501\u0435\u04bb\u0456\u0458\u04cf\u043e\u0440\u051b\u0455\u051d\u0445\u0443\d-]+$/u;

/**
 * An address whose host could be taken for another one, `pаypal.com` with a Cyrillic letter, in the form it is resolved by
 * (`xn--…`), as browsers show it; any other as it is.
 */
function plainHost(address: string): string {
  const at = address.lastIndexOf("@");
  const host = address.slice(at + 1);
  if (at < 0 || !lookingLatin.test(host)) return address;
  const labels = host.toLowerCase().split(".");
  const isOfLatin = latinLetter.test(labels.at(-1) ?? "");
  const isDouble = (label: string) =>
    lookingLatin.test(label) && (latinLetter.test(label) || (isOfLatin && cyrillicDoubles.test(label)));
  const ascii = labels.some(isDouble) ? domainToASCII(host) : "";
  return ascii === "" ? address : `${address.slice(0, at + 1)}${ascii}`;
}
