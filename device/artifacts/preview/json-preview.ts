import { type ExactJson, exactJson } from "../exact-json.ts";
import type { JsonStats } from "../stats/stats.ts";
import { type PrefixNode, parseJsonPrefix } from "./json-prefix.ts";

/** How much of a value is shown. */
interface Extent {
  readonly rows: number;
  readonly keys: number;
  readonly stringChars: number;
  readonly depth: number;
}

const maxRows = 100;
/** From roomy to tight; the first that fits is taken. */
const extents: readonly Extent[] = [
  { rows: maxRows, keys: 100, stringChars: 300, depth: 12 },
  { rows: 50, keys: 60, stringChars: 200, depth: 8 },
  { rows: 20, keys: 40, stringChars: 120, depth: 6 },
  { rows: 10, keys: 30, stringChars: 80, depth: 5 },
  { rows: 5, keys: 25, stringChars: 60, depth: 4 },
  { rows: 3, keys: 20, stringChars: 40, depth: 3 },
  { rows: 2, keys: 12, stringChars: 30, depth: 3 },
  { rows: 1, keys: 8, stringChars: 24, depth: 2 },
  { rows: 1, keys: 3, stringChars: 16, depth: 1 },
  { rows: 0, keys: 0, stringChars: 8, depth: 1 },
];

/**
 * Ever shorter previews of JSON by its beginning, each of them JSON. An array ends in a string that counts what is not
 * shown, an object in a key `…`; JSON Lines are shown as an array of rows.
 */
export function* jsonPreviews(head: string, stats: JsonStats): Generator<string> {
  const values = parseJsonPrefix(head);
  const totals = arrayTotals(stats);
  for (const extent of extents) {
    const shown = new Shown(extent, totals);
    if (stats.kind === "jsonl") {
      const rows: PrefixNode = { kind: "array", items: values, total: stats.length ?? values.length, isCut: false };
      yield exactJson(shown.value(rows, "", 0));
    } else {
      const [value] = values;
      yield exactJson(value === undefined ? null : shown.value(value, "$", 0));
    }
  }
}

/** Lengths of the arrays there is one of; they are counted even where the beginning cuts through them. */
function arrayTotals(stats: JsonStats): ReadonlyMap<string, number> {
  return new Map(
    stats.fields.flatMap(({ path, types, items }) => (types.array === 1 && items !== undefined ? [[path, items]] : [])),
  );
}

class Shown {
  readonly #extent: Extent;
  readonly #totals: ReadonlyMap<string, number>;

  constructor(extent: Extent, totals: ReadonlyMap<string, number>) {
    this.#extent = extent;
    this.#totals = totals;
  }

  value(node: PrefixNode, path: string, depth: number): ExactJson {
    const { rows, keys, stringChars, depth: maxDepth } = this.#extent;
    if (node.kind === "deep") return "… nested deeper";
    if (node.kind === "scalar") {
      const { value } = node;
      if (typeof value !== "string" || (value.length <= stringChars && !node.isCut)) return value;
      return `${value.slice(0, stringChars).toWellFormed()}…`;
    }
    if (depth >= maxDepth) return node.kind === "array" ? `… ${this.#count(node, path)} items` : `… ${node.total} keys`;
    if (node.kind === "array") {
      const shown = node.items.slice(0, rows).map((item) => this.value(item, `${path}[]`, depth + 1));
      const total = this.#count(node, path);
      if (shown.length === total) return shown;
      return [...shown, typeof total === "string" ? "… more" : `… ${total - shown.length} more of ${total}`];
    }
    const shown = node.entries.slice(0, keys);
    const result: Record<string, ExactJson> = Object.fromEntries(
      shown.map(([key, value]) => [this.#key(key), this.value(value, `${path}${step(key)}`, depth + 1)]),
    );
    const hidden = node.total - shown.length;
    if (hidden > 0 || node.isCut) result["…"] = node.isCut ? "more keys" : `${hidden} more keys`;
    return result;
  }

  #count(node: Extract<PrefixNode, { kind: "array" }>, path: string): number | string {
    if (!node.isCut) return node.total;
    return this.#totals.get(path) ?? "many";
  }

  #key(key: string): string {
    const { stringChars } = this.#extent;
    return key.length <= 3 * stringChars ? key : `${key.slice(0, 3 * stringChars).toWellFormed()}…`;
  }
}

/** As in the fields' paths. */
const step = (key: string) => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `.${JSON.stringify(key)}`);
