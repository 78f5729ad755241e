import { knownFormats } from "./known-formats.ts";
import { entropyOf, isStandIn, looksRandom } from "./randomness.ts";

/** A part of a text that must not be shown. UTF-16 offsets, half open. */
export interface Credential {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

const known = new RegExp(
  `(?<![A-Za-z0-9])(?:${knownFormats.map(({ source }, index) => `(?<k${index}>${source})`).join("|")})`,
  "g",
);
const privateKey =
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S]){0,20000}(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)?/g;
/** RFC 3986 userinfo with a password. */
const urlPassword =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/([^\s:/?#@"'<>]{0,128}):([^\s/?#"'<>]{1,256})@(?=[A-Za-z0-9[%$?_-])/gi;
const curlUser = /\s(?:-u|--user|--proxy-user)[ =]{0,3}["']?([^\s"':]{1,100})["']?:["']?([^\s"']{2,200})/g;
/** `?api_key=…` of an address and `Password=…;` of a connection string, whose values end where the next one begins. */
const parameter =
  /(?:[?&;,"'\s]|^)([\w .-]{0,40}(?:key|token|secret|pass(?:word|wd)?|pwd|auth|sig(?:nature)?)) ?= ?([^\s&;,"'<>`]{6,2000})(?=[&;,"'<>`\s]|$)/gi;
const authorization = /\b(?:Bearer|Basic|Token|ApiKey|Digest|SSWS)[ :]{1,3}["']?([A-Za-z0-9_.~+/-]{12,4000}={0,2})/gi;

/** A name that says its value is a credential. */
const naming =
  /(?:pass(?:wor[dt]|wd|phrase|code)?|pwd|secret|token|credential|api[ _.-]?key|access[ _.-]?key|private[ _.-]?key|auth(?:entication|orization)?[ _.-]?(?:key|code|token|header)?|(?:account|app|client|deploy|encryption|license|master|service|session|shared|signing|storage|subscription|user|webhook|consumer|integration|publishable|bot|admin|security|x)[ _.-]?key|bearer|apikey|key|_pat\b|cookie|signature|sid\b)s?/gi;
const passwordName = /pass(?:wor[dt]|wd|phrase|code)?s?["'\]]?\s*$|pwd["'\]]?\s*$|secret["'\]]?\s*$/i;
/** A run of characters that tokens are made of. */
const run = /[A-Za-z0-9][A-Za-z0-9_+/.~:!@$%^&*#?=|[\]-]{6,4095}/g;
const contextChars = 64;
const namedWordShare = 0.75;

/**
 * Credentials in a text: by known form, in URLs and headers, and values that look random where a name, a quote or an
 * assignment says that a credential stands there. Linear in the length of the text.
 *
 * @returns ascending, disjoint
 */
export function findCredentials(text: string): Credential[] {
  const found: Credential[] = [];
  const add = (start: number, value: string, kind: string) => {
    if (value.length > 0) found.push({ start, end: start + value.length, kind });
  };
  for (const match of text.matchAll(privateKey)) add(match.index, match[0], "private-key");
  for (const match of text.matchAll(known)) {
    // A token has digits, and both ends of the alphabet; `s.thisIsAName` and `xoxo-picture` have not.
    if (isStandIn(match[0]) || !/\d/.test(match[0]) || entropyOf(match[0]) < 2.5) continue;
    const index = Object.entries(match.groups ?? {}).findIndex(([, value]) => value !== undefined);
    add(match.index, match[0], knownFormats[index]?.kind ?? "token");
  }
  for (const match of text.matchAll(urlPassword)) {
    const password = match[2] ?? "";
    if (!isTemplate(password)) add(match.index + match[0].length - 1 - password.length, password, "password");
  }
  for (const match of text.matchAll(curlUser)) {
    const password = match[2] ?? "";
    if (!isTemplate(password) && !isTemplate(match[1] ?? "") && !isWord(password)) {
      add(match.index + match[0].length - password.length, password, "password");
    }
  }
  for (const match of text.matchAll(parameter)) {
    const [whole, name = "", value = ""] = match;
    if (isTemplate(value)) continue;
    const isPassword = /pass(?:word|wd)?$|pwd$/i.test(name) && /\d|[^\w.()[\]]/.test(value) && !/[()]/.test(value);
    if (isPassword || (value.length >= 10 && looksRandom(value) && !isReference(value, "", false))) {
      add(match.index + whole.length - value.length, value, isPassword ? "password" : "token");
    }
  }
  for (const match of text.matchAll(authorization)) {
    const value = match[1] ?? "";
    if (!isStandIn(value) && looksRandom(value))
      add(match.index + match[0].length - value.length, value, "authorization");
  }
  findNamed(text, add);
  findAgain(text, found, add);
  return disjoint(found);
}

/** Characters that may be looked at for repetitions: a text full of credentials is not searched for each of them. */
const maxRepetitionWork = 200_000_000;

/** What is a credential in one place is one everywhere. */
function findAgain(
  text: string,
  found: readonly Credential[],
  add: (start: number, value: string, kind: string) => void,
): void {
  const kinds = new Map(found.map(({ start, end, kind }) => [text.slice(start, end), kind]));
  if (kinds.size * text.length > maxRepetitionWork) return;
  for (const [value, kind] of kinds) {
    if (value.length < 16 || kind === "private-key" || !looksRandom(value)) continue;
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) add(at, value, kind);
  }
}

/** `<password>`, `${PASS}`, `{{ pass }}`, `%s`, `$PASS`: where a program puts one. */
const isTemplate = (value: string) => /^[<$%{[(]|[{}<>]|^\*+$|\$\(/.test(value) || isStandIn(value);
/** What manuals write. */
const isWord = (value: string) => /^(?:[a-z]+|[A-Z_]+|test\d*|user\d*|1234?5?6?)$/.test(value);

function findNamed(text: string, add: (start: number, value: string, kind: string) => void): void {
  for (const match of text.matchAll(run)) {
    const line = before(text, match.index);
    const { value, offset } = valueIn(match[0]);
    // `name=value` may be one run: then the name is in it.
    const lead = line + match[0].slice(0, offset);
    const kind = judged(value, lead, text[match.index + match[0].length] ?? "");
    if (kind !== undefined) add(match.index + offset, value, kind);
  }
}

/** The text of the line before a place, at most {@link contextChars} of it. */
function before(text: string, index: number): string {
  const piece = text.slice(Math.max(0, index - contextChars), index);
  return piece.slice(piece.lastIndexOf("\n") + 1);
}

/** The part of a run behind its last assignment, without punctuation at its end. */
function valueIn(runText: string): { value: string; offset: number } {
  const assigned = /^[A-Za-z][\w.[\]-]{0,60}(?:=>|:=|=|:)(?=[^=/])/.exec(runText);
  const offset = assigned === null ? 0 : assigned[0].length;
  const value = runText.slice(offset).replace(/[.,:;!?|\]]+$/, "");
  return { value, offset };
}

function judged(value: string, lead: string, next: string): string | undefined {
  if (value.length < 7 || isStandIn(value)) return undefined;
  const named = [...lead.matchAll(naming)].at(-1);
  const quote = /["'`]$/.test(lead);
  const assigned = /(?:=>|:=|=|:|\(|,|\s-)\s*["'`]?$/.test(lead) || quote;
  if (named !== undefined && assigned) {
    if (isReference(value, next, quote)) return undefined;
    if (passwordName.test(lead.replace(/\s*(?:=>|:=|=|:)\s*["'`]?$/, ""))) {
      if (value.length >= 7 && (/\d/.test(value) || /[^\w]/.test(value)) && quote) return "password";
    }
    if (value.length >= 10 && looksRandom(value, namedWordShare)) return "token";
    return undefined;
  }
  if (
    named !== undefined &&
    value.length >= 16 &&
    looksRandom(value) &&
    !isHash(value) &&
    !isReference(value, next, quote)
  ) {
    return "token";
  }
  // Nothing names it: only what can hardly be anything else.
  if (!quote || isHash(value) || isReference(value, next, quote)) return undefined;
  if (publicAttribute.test(lead)) return undefined;
  return value.length >= 16 && /^[A-Za-z0-9]+$/.test(value) && /\d/.test(value) && looksRandom(value)
    ? "token"
    : undefined;
}

/** Attributes and fields whose values are names of things. */
const publicAttribute =
  /\b(?:id|class|name|href|src|for|slug|code|hexcode|title|content|rel|type|style|url|uri|path|file|hash|digest|sha\d*|integrity|etag|version|nonce|ref|commit|checksum)["']?\s*[=:]?\s*\\?["'`]$/i;

/** Digests and ids, which are public more often than not. */
const isHash = (value: string) =>
  /^(?:[a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{56}|[a-f0-9]{64}|[a-f0-9]{96}|[a-f0-9]{128})$/i.test(value) ||
  /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/i.test(value) ||
  /^(?:sha\d{3}|md5)[-:]/i.test(value);

/** Code that fetches a credential, a path, an address or a name; not the credential itself. */
function isReference(value: string, next: string, quoted: boolean): boolean {
  if (next === "(" || /^(?:https?|file|ftp|git|ssh|s3|arn|urn|data|mailto):/i.test(value)) return true;
  if (
    /^(?:process\.env|os\.environ|System\.|env\.|ENV\[|config\.|this\.|self\.|req\.|args\.|options\.|secrets\.)/.test(
      value,
    )
  )
    return true;
  if (/^[\w-]+(?:\/[\w.@-]+){1,}\.\w{1,5}$/.test(value) || /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(value)) return true;
  // user.profile.name, some_variable_2
  return !quoted && /^[A-Za-z_]+\d{0,2}(?:[._][A-Za-z]+\d{0,2})*$/.test(value);
}

/** Earlier and longer wins. */
function disjoint(found: readonly Credential[]): Credential[] {
  const result: Credential[] = [];
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || each.start >= last.end) result.push(each);
    else if (each.end > last.end) result.splice(-1, 1, { ...last, end: each.end });
  }
  return result;
}
