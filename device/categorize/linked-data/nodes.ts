/** A thing of schema.org, by property. */
export type Thing = Readonly<Record<string, unknown>>;

/** A mail has one or two; what is deeper or longer than real mail has is not looked at. */
const limits = { things: 20, depth: 6, characters: 100_000 } as const;

/**
 * The things a JSON-LD document is about: the document itself, those of its `@graph`, or the list it is.
 *
 * @returns undefined when it is no JSON
 */
export function thingsIn(source: string): Thing[] | undefined {
  if (source.length > limits.characters) return undefined;
  const found: Thing[] = [];
  const waiting: { value: unknown; depth: number }[] = [{ value: parsed(source), depth: 0 }];
  if (waiting[0]?.value === undefined) return undefined;
  for (let next = waiting.shift(); next !== undefined && found.length < limits.things; next = waiting.shift()) {
    const { value, depth } = next;
    if (Array.isArray(value)) {
      if (depth < limits.depth)
        waiting.push(...value.slice(0, limits.things).map((each) => ({ value: each, depth: depth + 1 })));
    } else if (isThing(value)) {
      if (typeof value["@graph"] === "object") waiting.push({ value: value["@graph"], depth: depth + 1 });
      if (typeOf(value) !== "") found.push(value);
    }
  }
  return found;
}

/** @returns undefined when it is no JSON */
function parsed(source: string): unknown {
  try {
    return JSON.parse(source.trim().replace(/^<!--|-->$|^\/\*<!\[CDATA\[\*\/|\/\*\]\]>\*\/$/g, ""));
  } catch {
    // What a stranger calls JSON-LD may be anything: whoever asks says that it cannot be read.
    return undefined;
  }
}

const isThing = (value: unknown): value is Thing =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Its type as schema.org names it, whatever it is written like: `Order`, `schema:Order`, `http://schema.org/Order`. */
export function typeOf(thing: Thing): string {
  const given: unknown = thing["@type"] ?? thing["type"];
  const first: unknown = Array.isArray(given) ? given[0] : given;
  return typeof first === "string" ? lastWord(first) : "";
}

/** `http://schema.org/OrderShipped` says `OrderShipped`. */
export const lastWord = (text: string): string => /([A-Za-z]{1,60})\/?\s*$/.exec(text.slice(-200))?.[1] ?? "";

/** The thing under a property; of a list the first. */
export function thingAt(thing: Thing | undefined, name: string): Thing | undefined {
  const value = thing?.[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isThing(first) ? first : undefined;
}

/** Text under a property, of a list or a named thing the first, on one line; empty where there is none. */
export function textAt(thing: Thing | undefined, name: string, mostCharacters = 200): string {
  const value = thing?.[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const plain: unknown = isThing(first) ? (first["@value"] ?? first["name"] ?? first["@id"]) : first;
  if (typeof plain !== "string" && typeof plain !== "number") return "";
  return String(plain)
    .slice(0, 2_000)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, mostCharacters)
    .toWellFormed();
}
