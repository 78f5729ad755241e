import { registerFunction, TYPE_ANY } from "@jmespath-community/jmespath";
import { type ExactJson, exactInteger, exactJson } from "../../exact-json.ts";

type ExactNumber = number | bigint;
type Body = (args: ExactJson[]) => ExactJson;

const isNumber = (value: ExactJson | undefined): value is ExactNumber =>
  typeof value === "number" || typeof value === "bigint";
const isInteger = (value: ExactNumber) => typeof value === "bigint" || Number.isSafeInteger(value);

/** Equal numbers are of one type: a `bigint` only where a double would change it. */
const normal = (value: bigint): ExactNumber => exactInteger(String(value)) ?? Number(value);

const typeOf = (value: ExactJson | undefined) => {
  if (isNumber(value)) return "number";
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

function numbersIn(name: string, values: readonly (ExactJson | undefined)[]): ExactNumber[] {
  return values.map((value) => {
    if (isNumber(value)) return value;
    throw new Error(`Invalid argument type: ${name}() expected number but received ${typeOf(value)}`);
  });
}

function listIn(name: string, value: ExactJson | undefined): ExactJson[] {
  if (Array.isArray(value)) return value;
  throw new Error(`Invalid argument type: ${name}() expected array but received ${typeOf(value)}`);
}

/** Numbers by size, texts by code points. @throws Error for a mixture, or for anything else */
function ordered(name: string, values: readonly ExactJson[]): (a: ExactJson, b: ExactJson) => number {
  const types = new Set(values.map(typeOf));
  const [type] = types;
  if (types.size > 1 || (type !== undefined && type !== "number" && type !== "string")) {
    throw new Error(`Invalid argument type: ${name}() takes numbers or strings, and received ${[...types].join(", ")}`);
  }
  if (type === "number") return (a, b) => Number(isGreater(a, b)) - Number(isGreater(b, a));
  return (a, b) => compareCodePoints(String(a), String(b));
}

const isGreater = (a: ExactJson, b: ExactJson) => isNumber(a) && isNumber(b) && a > b;

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const comparisons: Record<string, (a: ExactNumber, b: ExactNumber) => boolean> = {
  GT: (a, b) => a > b,
  GTE: (a, b) => a >= b,
  LT: (a, b) => a < b,
  LTE: (a, b) => a <= b,
};

function calculated(a: ExactNumber, b: ExactNumber, operator: string): ExactNumber {
  if ((operator === "Divide" || operator === "Div") && Number(b) === 0) throw new Error("not-a-number: divide by zero");
  if (operator !== "Divide" && isInteger(a) && isInteger(b)) {
    const [x, y] = [BigInt(a), BigInt(b)];
    if (operator === "Plus") return normal(x + y);
    if (operator === "Minus") return normal(x - y);
    if (operator === "Div") return normal(x / y - (x % y !== 0n && x < 0n !== y < 0n ? 1n : 0n));
    if (operator === "Modulo") return y === 0n ? Number.NaN : normal(x % y);
    return normal(x * y);
  }
  const [x, y] = [Number(a), Number(b)];
  if (operator === "Plus") return x + y;
  if (operator === "Minus") return x - y;
  if (operator === "Divide") return x / y;
  if (operator === "Div") return Math.floor(x / y);
  return operator === "Modulo" ? x % y : x * y;
}

const total = (numbers: readonly ExactNumber[]) => numbers.reduce((sum, each) => calculated(sum, each, "Plus"), 0);

function extreme(name: string, values: ExactJson[], keys: readonly ExactJson[], sign: 1 | -1): ExactJson {
  const order = ordered(name, keys);
  let best = 0;
  for (let at = 1; at < keys.length; at++) if (sign * order(keys[at] ?? null, keys[best] ?? null) > 0) best = at;
  return values[best] ?? null;
}

const bodies: Record<string, Body> = {
  compare: ([a, b, name]) => (isNumber(a) && isNumber(b) ? (comparisons[String(name)]?.(a, b) ?? null) : null),
  arithmetic([a, b, operator]) {
    if (!isNumber(a) || !isNumber(b)) throw new Error("not-a-number");
    return calculated(a, b, String(operator));
  },
  sum: ([list]) => total(numbersIn("sum", listIn("sum", list))),
  avg([list]) {
    const numbers = numbersIn("avg", listIn("avg", list));
    return numbers.length === 0 ? null : calculated(total(numbers), numbers.length, "Divide");
  },
  max: ([list]) => extreme("max", listIn("max", list), listIn("max", list), 1),
  min: ([list]) => extreme("min", listIn("min", list), listIn("min", list), -1),
  max_by: ([list, keys]) => extreme("max_by", listIn("max_by", list), listIn("max_by", keys), 1),
  min_by: ([list, keys]) => extreme("min_by", listIn("min_by", list), listIn("min_by", keys), -1),
  sort([list]) {
    const values = listIn("sort", list);
    return [...values].sort(ordered("sort", values));
  },
  sort_by([list, given]) {
    const values = listIn("sort_by", list);
    const keys = listIn("sort_by", given);
    const order = ordered("sort_by", keys);
    const places = values.map((_, at) => at).sort((a, b) => order(keys[a] ?? null, keys[b] ?? null));
    return places.map((at) => values[at] ?? null);
  },
  abs([value]) {
    const [number = 0] = numbersIn("abs", [value]);
    return number < 0 ? calculated(0, number, "Minus") : number;
  },
  ceil: ([value]) => rounded("ceil", value, Math.ceil),
  floor: ([value]) => rounded("floor", value, Math.floor),
  to_number([value]) {
    if (isNumber(value)) return value;
    if (typeof value !== "string") return null;
    const number = exactInteger(value) ?? Number(value);
    return typeof number === "number" && Number.isNaN(number) ? null : number;
  },
  to_string: ([value]) => (typeof value === "string" ? value : exactJson(value)),
  type: ([value]) => typeOf(value),
};

function rounded(name: string, value: ExactJson | undefined, round: (value: number) => number): ExactNumber {
  const [number = 0] = numbersIn(name, [value]);
  return typeof number === "bigint" ? number : round(number);
}

const operators = new Set(["compare", "arithmetic"]);
const arity = (name: string) => (operators.has(name) ? 3 : name.endsWith("_by") ? 2 : 1);

/** Names of the library's functions that have an exact one of ours. */
export const exactFunctions: ReadonlySet<string> = new Set(Object.keys(bodies).filter((name) => !operators.has(name)));

/** Makes them known to the library, as `exact_…`; its registry is one for the whole process. */
export function registerExactFunctions(): void {
  for (const [name, body] of Object.entries(bodies)) {
    const signature = Array.from({ length: arity(name) }, () => ({ types: [TYPE_ANY] }));
    // Only the library's types say that there is no bigint.
    registerFunction(`exact_${name}`, body as Parameters<typeof registerFunction>[1], signature);
  }
}
