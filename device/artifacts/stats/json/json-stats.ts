import { asExactNumber, type Distinct, type JsonField, type JsonStats, type JsonTypeCounts } from "../stats.ts";
import { JsonFields, type JsonNode, jsonTypes } from "./json-fields.ts";
import { JsonLines } from "./json-lines.ts";
import { type JsonForm, JsonScanner } from "./json-scanner.ts";
import { jsonSchemaOf } from "./json-schema.ts";

const maxListedFields = 200;
const maxListedKeys = 100;
/** More different values than this at one path are many. */
const highCardinality = 100;

/** Statistics of JSON or JSON Lines in one pass. Write UTF-8 in pieces of any size, then `end`. */
export class JsonStatsEngine {
  readonly #fields = new JsonFields();
  readonly #scanner: JsonScanner;
  readonly #form: JsonForm;
  /** What the text is given to: lines one by one where it is known to be JSON Lines. */
  readonly #reader: JsonScanner | JsonLines;

  constructor(form: JsonForm) {
    this.#form = form;
    this.#scanner = new JsonScanner(this.#fields, form);
    this.#reader = form === "rows" ? new JsonLines(this.#scanner) : this.#scanner;
  }

  write(piece: Buffer): void {
    this.#reader.write(piece);
  }

  /** @param invalidBytes bytes that are not UTF-8, which JSON must be (RFC 8259, section 8.1) */
  end(invalidBytes = 0): JsonStats {
    const scanner = this.#scanner;
    this.#reader.end();
    const fields = this.#fields;
    fields.abandon();
    const error = scanner.error ?? (invalidBytes > 0 ? { atByte: 0, reason: "it is not UTF-8" } : undefined);
    const areRows = this.#form === "rows" || (this.#form === "either" && scanner.rows > 1);
    const root = fields.root;
    const row = areRows ? root : (root.item ?? root);
    const listed = listFields(root, areRows);
    const rootType = areRows ? undefined : jsonTypes.find((_, type) => (root.types[type] ?? 0) > 0);
    return {
      kind: areRows ? "jsonl" : "json",
      valid: error === undefined,
      ...(error && { error }),
      ...(rootType && { root: rootType }),
      ...(areRows ? { length: scanner.rows, badLines: scanner.badLines } : {}),
      ...(rootType === "array" && { length: root.items }),
      topLevelKeys: row.children.slice(0, maxListedKeys).map(({ key }) => key),
      topLevelKeyCount: keyCount(row),
      depth: fields.deepest,
      types: allCounts(fields.types),
      keys: fields.keys,
      items: fields.items,
      fields: listed.slice(0, maxListedFields),
      fieldsLeftOut: Math.max(0, listed.length - maxListedFields),
      schema: jsonSchemaOf(root),
    };
  }
}

function allCounts(types: Float64Array): JsonTypeCounts {
  const [object = 0, array = 0, string = 0, number = 0, boolean = 0, nothing = 0] = types;
  return { object, array, string, number, boolean, null: nothing };
}

function someCounts(types: Float64Array): Partial<JsonTypeCounts> {
  return Object.fromEntries(jsonTypes.flatMap((type, at) => ((types[at] ?? 0) > 0 ? [[type, types[at]]] : [])));
}

function keyCount(node: JsonNode): Distinct {
  const others = node.otherKeys?.result ?? { count: 0, isExact: true };
  return { count: node.children.length + others.count, isExact: others.isExact };
}

/** Breadth first, so that what is left out lies deep. */
function listFields(root: JsonNode, areRows: boolean): JsonField[] {
  const listed: JsonField[] = [];
  let level = [{ node: root, path: areRows ? "$[]" : "$" }];
  while (level.length > 0) {
    listed.push(...level.map(({ node, path }) => fieldOf(node, path)));
    level = level.flatMap(({ node, path }) =>
      [...node.children, ...(node.others ? [node.others] : []), ...(node.item ? [node.item] : [])].map((child) => ({
        node: child,
        path: child === node.item ? `${path}[]` : child === node.others ? `${path}.*` : `${path}${step(child.key)}`,
      })),
    );
  }
  return listed;
}

/** A key as JMESPath takes it: quoted unless it is an identifier. */
function step(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `.${JSON.stringify(key)}`;
}

const isFiniteNumber = (value: number | bigint) => typeof value === "bigint" || Number.isFinite(value);

function fieldOf(node: JsonNode, path: string): JsonField {
  const [, , strings = 0, numbers = 0] = node.types;
  const distinct = node.distinct?.resultAmong(strings + numbers);
  const hasNumbers = node.min <= node.max && isFiniteNumber(node.min) && isFiniteNumber(node.max);
  return {
    path,
    types: someCounts(node.types),
    ...(distinct && { distinct }),
    highCardinality: (distinct?.count ?? 0) > highCardinality,
    samples: node.samples.map((sample) => (typeof sample === "bigint" ? asExactNumber(sample) : sample)),
    ...(hasNumbers && { min: asExactNumber(node.min), max: asExactNumber(node.max) }),
    ...((node.types[1] ?? 0) > 0 && { items: node.items, maxItems: node.maxItems }),
    ...(node.otherKeys && { keys: keyCount(node) }),
  };
}
