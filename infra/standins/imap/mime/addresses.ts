import { list, string } from "../wire/written.ts";

interface Address {
  readonly name?: string;
  readonly mailbox?: string;
  readonly host?: string;
}

/**
 * A field that names people, as ENVELOPE has it (RFC 3501 §7.4.2): `((name route mailbox host) …)`, a group as a pair of
 * addresses without host around its members, NIL when there is nobody. Names stay as they are encoded.
 */
export function addressList(value: string | undefined): Buffer {
  const addresses = value === undefined ? [] : addressesIn(value);
  if (addresses.length === 0) return string(undefined);
  const written = addresses.map(({ name, mailbox, host }) =>
    list([string(name), "NIL", string(mailbox), string(host)]),
  );
  return Buffer.concat([Buffer.from("("), ...written, Buffer.from(")")]);
}

function addressesIn(value: string): Address[] {
  const found: Address[] = [];
  let inGroup = false;
  for (const { text, end } of pieces(value)) {
    let rest = text.trim();
    const colon = inGroup ? -1 : outsideQuotes(rest, ":");
    if (colon >= 0 && !rest.includes("<")) {
      found.push({ mailbox: unquoted(rest.slice(0, colon)) });
      inGroup = true;
      rest = rest.slice(colon + 1).trim();
    }
    if (rest !== "") found.push(addressOf(rest));
    if (end === ";" && inGroup) {
      found.push({});
      inGroup = false;
    }
  }
  return found;
}

/** Splits at commas and at the ends of groups, not within quotes, comments or brackets. */
function pieces(value: string): { text: string; end: string }[] {
  const found: { text: string; end: string }[] = [];
  let from = 0;
  let [isQuoted, comments, isRoute] = [false, 0, false];
  for (let at = 0; at <= value.length; at += 1) {
    const character = value[at];
    if (character === "\\") at += 1;
    else if (character === '"' && comments === 0) isQuoted = !isQuoted;
    else if (character === undefined || !isQuoted) {
      if (character === "(") comments += 1;
      if (character === ")") comments = Math.max(0, comments - 1);
      if (character === "<") isRoute = true;
      if (character === ">") isRoute = false;
      const isEnd = character === undefined || ((character === "," || character === ";") && comments === 0 && !isRoute);
      if (!isEnd) continue;
      found.push({ text: value.slice(from, at), end: character ?? "" });
      from = at + 1;
    }
  }
  return found;
}

function addressOf(text: string): Address {
  const [, before = "", inner] = /^(.*)<([^<>]*)>[^<>]*$/s.exec(text) ?? [];
  const [, comment] = /\(([^()]*)\)\s*$/.exec(text) ?? [];
  const address = (inner ?? text.replace(/\([^()]*\)/g, "")).trim();
  const at = address.lastIndexOf("@");
  const name = inner === undefined ? comment?.trim() : unquoted(before);
  return {
    ...(name === undefined || name === "" ? {} : { name }),
    mailbox: unquoted(at < 0 ? address : address.slice(0, at)),
    // RFC 3501: a host that is missing must not be NIL, which would open a group.
    host: at < 0 ? ".MISSING-HOST-NAME." : address.slice(at + 1),
  };
}

function outsideQuotes(text: string, wanted: string): number {
  let isQuoted = false;
  for (const [at, character] of [...text].entries()) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && character === wanted) return at;
  }
  return -1;
}

function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^"((?:[^"\\]|\\.)*)"$/s, "$1")
    .replace(/\\(.)/g, "$1");
}
