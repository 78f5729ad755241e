import * as z from "zod";

const count = z.int().min(0);
/** A number as JSON can hold it: an integer that a double would change is written out. */
const exactNumber = z.union([z.number(), z.strictObject({ integer: z.string().regex(/^-?\d+$/) })]);
export type ExactNumber = z.infer<typeof exactNumber>;
const scalar = z.union([z.string(), exactNumber, z.boolean(), z.null()]);

/** A number as JSON can hold it without loss: an integer beyond 2^53 is a text of digits. */
export const asExactNumber = (value: number | bigint): ExactNumber =>
  typeof value === "bigint" ? { integer: String(value) } : value;

/** How many different values there are: exact while they are few, then estimated (HyperLogLog). */
const distinct = z.strictObject({ count, isExact: z.boolean() });
export type Distinct = z.infer<typeof distinct>;

const typeCounts = z.strictObject({
  object: count,
  array: count,
  string: count,
  number: count,
  boolean: count,
  null: count,
});
export type JsonTypeCounts = z.infer<typeof typeCounts>;

/** What stands at one path: `$.items[].id`; `*` is any key of an object that has too many to list. */
const jsonField = z.strictObject({
  path: z.string(),
  types: typeCounts.partial(),
  /** Of strings and numbers there. */
  distinct: distinct.optional(),
  highCardinality: z.boolean(),
  /** First different values, long strings cut. */
  samples: z.array(scalar),
  /** Of numbers. */
  min: exactNumber.optional(),
  max: exactNumber.optional(),
  /** Of all arrays at this path together. */
  items: count.optional(),
  maxItems: count.optional(),
  /** Different keys of the objects at this path, when they are too many to be listed. */
  keys: distinct.optional(),
});
export type JsonField = z.infer<typeof jsonField>;

const jsonStats = z.strictObject({
  kind: z.enum(["json", "jsonl"]),
  valid: z.boolean(),
  /** Where reading stopped; the figures are about what stands before. */
  error: z.strictObject({ atByte: count, reason: z.string() }).optional(),
  root: z.enum(["object", "array", "string", "number", "boolean", "null"]).optional(),
  /** Items of a root array, rows of JSON Lines. */
  length: count.optional(),
  /** Lines of JSON Lines that are no JSON. */
  badLines: count.optional(),
  /** Of the root object, or of rows; at most a hundred. */
  topLevelKeys: z.array(z.string()),
  topLevelKeyCount: distinct,
  /** Containers within containers: 0 for a scalar, 1 for `[]`. */
  depth: count,
  types: typeCounts,
  keys: count,
  items: count,
  fields: z.array(jsonField),
  fieldsLeftOut: count,
  /** JSON Schema (2020-12) of what was seen. */
  schema: z.json(),
});
export type JsonStats = z.infer<typeof jsonStats>;

const csvColumn = z.strictObject({
  name: z.string(),
  type: z.enum(["integer", "number", "boolean", "date", "text", "empty", "mixed"]),
  /** Empty cells and those that say NULL. */
  nulls: count,
  distinct,
  highCardinality: z.boolean(),
  samples: z.array(z.string()),
  min: exactNumber.optional(),
  max: exactNumber.optional(),
});
export type CsvColumn = z.infer<typeof csvColumn>;

const csvStats = z.strictObject({
  kind: z.literal("csv"),
  delimiter: z.string(),
  quote: z.string(),
  hasHeader: z.boolean(),
  /** Without the header and blank lines. */
  rows: count,
  columnCount: count,
  columns: z.array(csvColumn),
  columnsLeftOut: count,
  /** Rows with another number of cells than the first record. */
  raggedRows: count,
  blankLines: count,
  /** Quotes that nothing closed, read as plain characters. */
  brokenQuotes: count,
});
export type CsvStats = z.infer<typeof csvStats>;

const heading = z.strictObject({ level: z.int().min(1).max(6), text: z.string() });
export type Heading = z.infer<typeof heading>;
const headings = z.strictObject({ count, perLevel: z.array(count).length(6), first: z.array(heading) });
export type Headings = z.infer<typeof headings>;

const htmlStats = z.strictObject({
  kind: z.literal("html"),
  title: z.string(),
  description: z.string(),
  language: z.string(),
  headings,
  links: count,
  images: count,
  scripts: count,
  tables: count,
  /** Words and characters of the visible text. */
  words: count,
  mainTextChars: count,
});
export type HtmlStats = z.infer<typeof htmlStats>;

const markdownStats = z.strictObject({
  kind: z.literal("markdown"),
  lines: count,
  words: count,
  headings,
  codeBlocks: count,
  codeLanguages: z.array(z.string()),
  links: count,
  images: count,
  tables: count,
  lists: count,
  frontMatter: z.enum(["none", "yaml", "toml", "json"]),
});
export type MarkdownStats = z.infer<typeof markdownStats>;

const textStructure = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("prose") }),
  z.strictObject({
    kind: z.literal("log"),
    levels: z.strictObject({ trace: count, debug: count, info: count, warn: count, error: count, fatal: count }),
    /** As they are written, of the first and the last line that has one. */
    firstTime: z.string().optional(),
    lastTime: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal("config"), format: z.enum(["ini", "toml", "yaml", "env", "properties", "json5"]) }),
  z.strictObject({
    kind: z.literal("code"),
    language: z.string(),
    functions: z.array(z.string()),
    functionCount: count,
  }),
  z.strictObject({
    kind: z.literal("xml"),
    root: z.string(),
    namespaces: z.array(z.strictObject({ prefix: z.string(), uri: z.string() })),
  }),
]);
export type TextStructure = z.infer<typeof textStructure>;

const textStats = z.strictObject({
  kind: z.literal("text"),
  encoding: z.string(),
  /** Bytes that are not valid in the encoding. */
  invalidBytes: count,
  lines: count,
  words: count,
  /** Unicode code points. */
  characters: count,
  longestLineBytes: count,
  /** ISO 639-1. */
  naturalLanguage: z.string().optional(),
  structure: textStructure,
});
export type TextStats = z.infer<typeof textStats>;

const binaryStats = z.strictObject({
  kind: z.literal("binary"),
  /** `png`, `pdf`, `zip` …; `unknown` when nothing tells. */
  format: z.string(),
  image: z.strictObject({ width: count, height: count }).optional(),
  pdf: z.strictObject({ version: z.string(), pages: count.optional(), isEncrypted: z.boolean() }).optional(),
  archive: z.strictObject({ entries: count.optional(), names: z.array(z.string()) }).optional(),
});
export type BinaryStats = z.infer<typeof binaryStats>;

/** What one pass over an artifact found out. */
export const artifactStats = z.discriminatedUnion("kind", [
  jsonStats,
  csvStats,
  htmlStats,
  markdownStats,
  textStats,
  binaryStats,
]);
export type ArtifactStats = z.infer<typeof artifactStats>;
