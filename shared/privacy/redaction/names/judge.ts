import { isFiller, isPlaceholder, isTemplate } from "../randomness/placeholders.ts";
import { randomBits } from "../randomness/randomness.ts";
import { type NameStrength, strengthOf, wordsOfName } from "./credential-names.ts";
import type { SeparatorKind } from "./separators.ts";
import type { Shape } from "./surroundings.ts";

/** What is known of a value when it is judged. */
export interface Evidence {
  readonly value: string;
  readonly strength: NameStrength;
  readonly separator: SeparatorKind;
  /** The name says whose or what for: `boostnoteKey`, not `key`. */
  readonly isOwned: boolean;
  /** `DB_PASSWORD=`: a variable of the environment, whose value is never a variable of a program. */
  readonly isEnvironment: boolean;
  readonly isQuoted: boolean;
  /** What follows an unquoted value. */
  readonly next: string;
  readonly shape: () => Shape;
  readonly hasAccount: () => boolean;
}

/** What is written where a password's type, state or rule is told. */
const saying = new Set(
  (
    "string str text number integer boolean bool null nil undefined true false required optional any object char " +
    "varchar input hidden void unknown never bytes value field yes off none empty missing incorrect correct wrong " +
    "expired changed reset protected encrypted hashed stored needed sent secure strong weak short long case not only " +
    "based also always must should may can will used using set unset default disabled enabled plain plaintext prompt " +
    "ask manual auto env file vault keyring keychain prompt interactive basic digest bearer oauth same different unique " +
    "sensitive available invalid valid safe visible provided given known public private important forgotten lost stolen " +
    "accepted rejected ignored generated created masked what how why when where which enter your please confirm repeat the a an " +
    "it this that to for in on at by of is are was and or if self cls from with please see click"
  ).split(" "),
);

const isHashName =
  /^(?:bcrypt|argon2(?:id|i|d)?|scrypt|pbkdf2|md5|sha-?\d{1,3}|hmac|rs256|hs256|es256|plain|scram-sha-256)$/i;
const isTokenText = /^[A-Za-z0-9_+/.~:!@%^*#=|$?-]+$/;
const isQuotedTokenText = /^[!-~]+$/;
const isHex = /^[a-f0-9]+$|^[A-F0-9]+$/;
const isUuid = /^[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}$/i;

/** The kind of credential a named value is; undefined when it is none. */
export function kindOfNamed(evidence: Evidence): string | undefined {
  const { value, strength } = evidence;
  if (value.includes("\u27e6redacted:") || isPlaceholder(value) || isEncodedPlaceholder(value)) return undefined;
  switch (strength) {
    case "password":
      return isPassword(evidence) ? "password" : undefined;
    case "secret":
      if (isReference(evidence)) return undefined;
      return isTokenValue(evidence, -2) || isSecretWord(evidence) ? "secret" : undefined;
    case "token":
      if (isReference(evidence)) return undefined;
      return isTokenValue(evidence, -2) ? "token" : undefined;
    case "maybe":
      return value.length >= 16 && !isReference(evidence) && isUnmistakable(evidence) ? "token" : undefined;
    case "code":
      return isRecoveryCode(value) ? "recovery-code" : undefined;
    case "pin":
      return /^\d{4,8}$/.test(value) && evidence.separator !== "cell" && !/^(?:19|20)\d\d$/.test(value)
        ? "pin"
        : undefined;
  }
}

/** `%3Ctoken%3E`, as addresses write it. */
const isEncodedPlaceholder = (value: string) =>
  /^%(?:3C|7B|24|25)/i.test(value) &&
  isPlaceholder(
    value.replace(/%([0-7][0-9A-F])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  );

/** Three letters or digits, a digit behind them, a letter behind that. */
function isMixed(value: string): boolean {
  const first = value.search(/[a-z0-9]{3}/);
  return first !== -1 && /\d[^\dA-Za-z]*[A-Za-z]/.test(value.slice(first + 3));
}

/** @param bits how random it must look at least */
function isTokenValue({ value, separator, isQuoted, shape }: Evidence, bits: number): boolean {
  if (value.length < 8 || !(isQuoted ? isQuotedTokenText : isTokenText).test(value) || isTemplate(value)) return false;
  if (!isTokenText.test(value) && !isMixed(value)) return false;
  if (isUuid.test(value)) return separator !== "is" || isQuoted;
  if (/^\d+$/.test(value))
    return value.length >= 10 && value.length <= 64 && !isFiller(value) && !/^1[5-9]\d{8,11}$/.test(value);
  if (isFiller(value) || isOrdinary(value)) return false;
  if (separator === "is" && !/\d/.test(value)) return false;
  // Hexadecimal digits look like words now and then: where digits are among them they are none.
  if (isHex.test(value) && /\d.*\d/.test(value)) return value.length >= 10;
  const hasDigit = /\d/.test(value);
  const score = randomBits(value);
  if (!hasDigit && value.length < 12) return false;
  if (hasDigit) return score >= bits;
  return score >= Math.max(bits, isQuoted || shape() === "settings" ? 0 : 3);
}

/** What stands behind a name that need not be a credential's: nobody writes such a value, and it is no digest or id. */
function isUnmistakable(evidence: Evidence): boolean {
  const { value, separator } = evidence;
  if (separator !== "assign" && separator !== "beside") return false;
  if (isHex.test(value) || isUuid.test(value)) return evidence.isOwned && /\d.*\d/.test(value) && value.length <= 64;
  return isTokenValue(evidence, /\d/.test(value) ? 8 : 16);
}

/** `secret: hunter2`: short, but in a settings file, or with digits among letters. */
function isSecretWord({ value, separator, isQuoted, shape, hasAccount }: Evidence): boolean {
  if (
    value.length < 5 ||
    value.length > 200 ||
    /\s/.test(value) ||
    isOrdinary(value) ||
    saying.has(value.toLowerCase())
  )
    return false;
  if (separator !== "assign" && separator !== "tag") return false;
  const mixed = /\d/.test(value) && /[A-Za-z]/.test(value) && randomBits(value) > -12;
  if (isQuoted || separator === "tag") return mixed && !isFiller(value);
  return mixed && (shape() === "settings" || hasAccount());
}

function isPassword(evidence: Evidence): boolean {
  const { value, separator, isQuoted, hasAccount } = evidence;
  if (value.length < 3 || value.length > 256 || isTemplate(value) || isHashName.test(value)) return false;
  const lower = value.toLowerCase();
  if (saying.has(lower) || saying.has(lower.replace(/[^a-z].*$/s, "")) || isOrdinary(value)) return false;
  if (isReference(evidence) || namesCredential(value)) return false;
  if (/\s/.test(value)) return isPassphrase(value) && (isQuoted || separator === "assign") && hasAccount();
  const hasDigit = /\d/.test(value);
  const hasSymbol = /[^\p{L}\p{M}\d_.\s-]/u.test(value);
  const isMarked = (hasDigit && /\p{L}/u.test(value)) || (hasSymbol && /[\p{L}\d]/u.test(value));
  switch (separator) {
    case "is":
      if (/^\d+$/.test(value)) return value.length >= 6;
      return isMarked
        ? value.length >= 6 && !/^\d+(?:-|\p{L}{1,3}$)/u.test(value)
        : isQuoted && value.length >= 4 && (hasAccount() || /^[a-z]{8,}$/.test(value));
    case "comma":
    case "compare":
    case "call":
      return isQuoted && isMarked && value.length >= 5;
    case "cell":
      return isMarked && value.length >= 6;
    case "space":
      return (isMarked || hasAccount()) && value.length >= 4;
    default:
      return isAssignedPassword(evidence, isMarked, hasDigit, hasSymbol);
  }
}

function isAssignedPassword(
  { value, isQuoted, isEnvironment, separator, shape, hasAccount }: Evidence,
  isMarked: boolean,
  hasDigit: boolean,
  hasSymbol: boolean,
): boolean {
  if (separator === "tag") return value.length >= 4 && (isMarked || hasDigit || hasAccount());
  if (isQuoted) {
    if (isMarked || (hasDigit && value.length >= 4) || (isEnvironment && /^[a-z]{6,}$/.test(value))) return true;
    return value.length >= 4 && !/[-_.]/.test(value) && hasAccount();
  }
  if (isEnvironment && /^[a-z]{6,}$/.test(value)) return true;
  const around = shape();
  // In code a bare word is a variable.
  if (around === "code") return hasSymbol && hasDigit && value.length >= 6 && !/[()[\]*=+<>|?]/.test(value);
  if (isMarked) return value.length >= 4;
  if (/^\d+$/.test(value)) return value.length >= 4;
  if (around === "settings" || hasAccount()) return value.length >= 4 && !/^[A-Z][a-z]+$/.test(value);
  return false;
}

/** Several plain words, none of which tells a person what to do. */
function isPassphrase(value: string): boolean {
  const words = value.split(/\s+/);
  return (
    words.length >= 3 &&
    words.length <= 12 &&
    words.every((word) => /^[a-z]{2,12}\d{0,4}$/.test(word) && !saying.has(word))
  );
}

/** What is told of such words is a sentence; of those that are drawn, few are words of one. */
export function isDrawnWords(value: string): boolean {
  const words = value.match(/[a-z]+/g) ?? [];
  return words.filter((word) => saying.has(word)).length < 3;
}

function isRecoveryCode(value: string): boolean {
  const text = value.trim();
  if (/^(?:[a-z]{3,8}[ ,]+){11,24}[a-z]{3,8}$/.test(text)) return true;
  return (
    /^(?:[A-Za-z0-9]{3,10}[- ]){0,7}[A-Za-z0-9]{4,16}$/.test(text) &&
    /\d.*\d/.test(text) &&
    !/^(?:19|20)\d\d(?:-\d\d?)*$/.test(text) &&
    text.replace(/[^A-Za-z0-9]/g, "").length >= 6 &&
    !/^[A-Za-z]{4,}[ -]\d+$/.test(text)
  );
}

/** A date, an amount, a version, an address, a path, a colour, a media type, a digest with its name. */
function isOrdinary(value: string): boolean {
  if (/^(?:\d{1,4}[-./:]){1,5}\d{1,4}(?:[T ]\S*)?$/.test(value) || /^v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$/.test(value))
    return true;
  if (
    /^#[0-9a-f]{3,8}$/i.test(value) ||
    (/^[-+]?[$€£]?\d[\d.,]*(?:%|px|em|rem|ms|s|kb|mb|gb)?$/i.test(value) && /[.,%a-z]/i.test(value))
  )
    return true;
  if (
    /^(?:[a-z][a-z0-9+.-]{1,20}:)?\/\/|^(?:mailto|data|urn|arn|sha\d{3}|md5|blob|tel|javascript):|^sha\d{3}-/i.test(
      value,
    )
  )
    return true;
  if (/^(?:\.{0,2}|~|[A-Za-z]:)[/\\][\w./\\@-]*$/.test(value) && randomBits(value) < 0) return true;
  if (/^[\w@.-]+(?:\/[\w@.-]+)+$/.test(value) && randomBits(value) < 4) return true;
  if (
    /^[\w.-]+\.(?:js|ts|tsx|jsx|json|ya?ml|md|html?|css|py|go|rb|java|txt|pem|key|crt|env|toml|xml|sh|svg|png)$/i.test(
      value,
    )
  )
    return true;
  return /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(value) || /^(?:ssh|ecdsa)-\S*$/.test(value);
}

/** `userPassword`, `token_field`: the name of a credential, not one. */
function namesCredential(value: string): boolean {
  const words = wordsOfName(value);
  return /^[\p{L}_.:$ -]+\d?$/u.test(value) && words.some((_, at) => strengthOf(words.slice(0, at + 1)) !== undefined);
}

/** Code that fetches a value: `user.name`, `getKey(`, the environment. */
function isReference({ value, isQuoted, next, shape, separator }: Evidence): boolean {
  if ((!isQuoted && next === "(") || /^[\w.$]+\([^()]*\)$/.test(value)) return true;
  if (
    /^(?:process\.env|os\.environ|import\.meta|System\.|ENV\[|config\.|this\.|self\.|req(?:uest)?\.|args?\.|options?\.|secrets?\.|var\.|local\.|data\.|module\.|props\.|params\.|ctx\.|env\.)/.test(
      value,
    )
  )
    return true;
  const path = /^[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+$/.test(value);
  if (path && randomBits(value) < 6) return true;
  if (isQuoted || separator === "tag" || separator === "space") return false;
  const isName = /^[A-Za-z_$][\w$]*$/.test(value);
  if (!isName) return /^[-!+*&]?[A-Za-z_$][\w$.]*[*+?]$|^[!&*][A-Za-z_]/.test(value) && shape() === "code";
  if (/^\w[^\W_]*_\w+$/.test(value) && randomBits(value) < 0 && shape() !== "settings") return true;
  return randomBits(value) < (value.length >= 16 && /\d.*\d/.test(value) ? 2 : 6) && shape() === "code";
}
