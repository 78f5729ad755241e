import { randomBits, withoutSequences } from "./randomness.ts";

/** Words that people put where a credential goes. A value is excused when it is made of them, not when it holds one. */
const standing = new Set(
  (
    "example sample dummy placeholder changeme change changeit replace replaceme redacted your my mine our the a an here " +
    "insert enter fill put paste add todo tbd fixme xxx foo bar baz foobar fake mock test testing tests demo some any " +
    "value text none null nil undefined empty blank hidden masked censored removed removedforsecurity omitted snip secret " +
    "secrets password passwd pass pwd passphrase token tokens key keys api apikey apitoken auth access client private " +
    "public credential credentials user username login name id with from for to and or of in this that is not real " +
    "string generated random very super long strong secure safe actual app application project account service bot " +
    "please me it new old current default valid invalid wrong correct right bad good unsafe insecure dev local oauth " +
    "bearer basic github gitlab openai anthropic stripe slack google aws azure org com net server host database db " +
    "webhook session refresh admin master encryption signing config env variable var set get goes where"
  ).split(" "),
);
/** A word of several of them written as one. None of them begins another, so that there is one way to read it. */
const glued =
  /^(?:my|your|our|the|some|any|test|fake|dummy|example|sample|mock|super|top|very|change|replace|insert|enter|new|old|api|access|auth|client|user|secret|pass|word|phrase|token|key|me|it|this|here|value|string|redacted)+$/;

/** Only stands where a credential would: a template, a mask, `your-key-here`, `xxxxxxxx`. */
export function isPlaceholder(value: string): boolean {
  if (isTemplate(value) || /^\W*$|EXAMPLE(?:KEY)?$/.test(value) || /(?:\.{3}|…)$|^(?:\.{3}|…)/.test(value)) return true;
  // Masks: what is left of `abcd************` is no credential.
  const bare = value.replace(/([xX*.#_•-])\1{3,}/g, "").replace(/(.)\1{5,}/g, "");
  if (bare.length < value.length && bare.replace(/[^A-Za-z0-9]/g, "").length < 10) return true;
  if (value.length >= 8 && new Set(value).size <= Math.min(4, value.length / 4)) return true;
  if (/^(.{1,8}?)\1{2,}.{0,7}$/.test(value.slice(0, 64))) return true;
  const words = value.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word.length > 1);
  if (words.length === 0 || /\d[^\d]*\d[^\d]*\d[^\d]*\d/.test(withoutSequences(value))) return false;
  return words.every((word) => standing.has(word.toLowerCase()) || glued.test(word.toLowerCase()) || isX(word));
}

const isX = (word: string) => /^(?:x+|X+|[A-Z])$/.test(word);

/** `0123456789abcdef`, `abc123`: counted, not drawn. */
export function isFiller(value: string): boolean {
  return withoutSequences(value.toLowerCase()).replace(/[^a-z0-9]/g, "").length < Math.min(6, value.length / 2);
}

/** Where a program puts a value: `<password>`, `${PASS}`, `{{ pass }}`, `%s`, `$PASS`, `!Ref Secret`. */
export function isTemplate(value: string): boolean {
  if (/^\$\w{12,}$/.test(value) && /\d/.test(value) && randomBits(value) > 8) return false;
  if (
    /^(?:<[^<>]{0,80}>?$|\$[A-Za-z_][\w.:]*$|\$\d$|%[A-Za-z_]\w*%|%\(?\w+\)?s?$|@\w+@$|!\w+(?:\s|$)|__\w+__$)/.test(
      value,
    )
  )
    return true;
  if (/\$\{|\$\(|\$\[|\{\{|\}\}|#\{|<%|%\{|@\{|&\{/.test(value)) return true;
  if (/^[[{(][\s\w.,:'"-]{0,80}[\])}]?$/.test(value) && randomBits(value) < 8) return true;
  return /^ENC[[(]|^(?:vault|op|secret|ssm|awssm|gcpsm|keyring|keychain|env|file|ref):/i.test(value);
}
