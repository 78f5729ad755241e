/**
 * JSON whose integers are exact. `JSON.parse` makes a double of every number, so that 64-bit ids change and different
 * ids become equal. Here an integer that no double holds is a `bigint`, and every other number a `number`: equal numbers
 * are always of the same type. One beyond all doubles, which would be written as null, is the text that stands there.
 */
export type ExactJson = string | number | bigint | boolean | null | ExactJson[] | { [key: string]: ExactJson };

/** Digits of the longest integers that are kept: 128 bits have 39. A longer one is a double, as everywhere. */
const maxDigits = 40;
const longInteger = /\d{16}/;
const largeExponent = /[eE]\+?\d{3}/;
const integer = new RegExp(`^-?\\d{16,${maxDigits}}$`);

/** The integer that stands there, as a `bigint` where a double would change it; undefined for everything else. */
export function exactInteger(text: string): bigint | undefined {
  if (!integer.test(text)) return undefined;
  const value = BigInt(text);
  return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER ? value : undefined;
}

/** The third argument of a reviver is newer than its types (ECMA-262, "JSON.parse source text access"). */
type Reviver = (key: string, value: ExactJson, context?: { readonly source?: string }) => ExactJson;
const parse: (text: string, reviver?: Reviver) => ExactJson = JSON.parse;
const raw = (JSON as { readonly rawJSON?: (text: string) => object }).rawJSON;

/** @throws SyntaxError as `JSON.parse` does */
export function parseExactJson(text: string): ExactJson {
  // Being told of every value costs several times the parsing; most texts have no integer that long.
  if (!longInteger.test(text) && !largeExponent.test(text)) return parse(text);
  return parse(text, (_, value, context) =>
    typeof value === "number" && context?.source !== undefined ? exactNumber(value, context.source) : value,
  );
}

/** @param source the number as it stands there */
const exactNumber = (value: number, source: string): ExactJson =>
  Number.isFinite(value) ? (exactInteger(source) ?? value) : source;

/** `JSON.stringify`, with a `bigint` written as the integer it is. */
export function exactJson(value: unknown, indent?: number): string {
  const written = JSON.stringify(
    value ?? null,
    (_, each: unknown) => (typeof each === "bigint" ? (raw?.(String(each)) ?? String(each)) : each),
    indent,
  );
  return written ?? "null";
}
