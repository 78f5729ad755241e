import type { ArtifactStats, JsonField, TextStats } from "../stats/stats.ts";

/** A number as people write it. */
const counted = (count: number) => count.toLocaleString("en-US");
const plural = (count: number, noun: string) => `${counted(count)} ${noun}${count === 1 ? "" : "s"}`;

/** What an artifact is, in one line. It quotes content: names of columns, keys, a title. */
export function shapeOf(stats: ArtifactStats): string {
  switch (stats.kind) {
    case "json":
    case "jsonl": {
      const keys = stats.topLevelKeys
        .slice(0, 20)
        .map((key) => JSON.stringify(key))
        .join(", ");
      const more = stats.topLevelKeyCount.count > 20 ? ` and ${counted(stats.topLevelKeyCount.count - 20)} more` : "";
      const form =
        stats.kind === "jsonl" ? `JSON Lines, ${plural(stats.length ?? 0, "row")}` : jsonForm(stats.root, stats.length);
      const broken = stats.error ? `; broken at byte ${counted(stats.error.atByte)}: ${stats.error.reason}` : "";
      return `${form}${keys === "" ? "" : ` with keys ${keys}${more}`}, depth ${stats.depth}${broken}`;
    }
    case "csv": {
      const columns = stats.columns
        .slice(0, 30)
        .map(({ name, type }) => `${JSON.stringify(name)} ${type}`)
        .join(", ");
      const broken = stats.brokenQuotes > 0 ? `; ${plural(stats.brokenQuotes, "quote")} never closed` : "";
      return `table of ${plural(stats.rows, "row")}, ${plural(stats.columnCount, "column")}: ${columns}${broken}`;
    }
    case "html":
      return `web page ${JSON.stringify(stats.title)}, ${plural(stats.mainTextChars, "character")} of text, ${plural(stats.links, "link")}, ${plural(stats.images, "image")}`;
    case "markdown":
      return `Markdown, ${plural(stats.words, "word")}, ${plural(stats.headings.count, "heading")}, ${plural(stats.codeBlocks, "code block")}, ${plural(stats.tables, "table")}`;
    case "text":
      return textShape(stats);
    case "binary": {
      const size = stats.image ? `, ${stats.image.width} × ${stats.image.height} pixels` : "";
      const pages = stats.pdf
        ? `, ${stats.pdf.pages === undefined ? "unknown number of pages" : plural(stats.pdf.pages, "page")}`
        : "";
      const entries =
        stats.archive?.entries === undefined
          ? ""
          : `, ${plural(stats.archive.entries, "entr").replace(/entr(s?)$/, (_, s) => (s ? "entries" : "entry"))}`;
      return `binary, ${stats.format}${size}${pages}${stats.pdf?.isEncrypted ? ", encrypted" : ""}${entries}`;
    }
  }
}

function jsonForm(root: string | undefined, length: number | undefined): string {
  if (root === undefined) return "JSON";
  return root === "array" ? `JSON array of ${plural(length ?? 0, "item")}` : `JSON ${root}`;
}

function textShape({ structure, lines, words, encoding, invalidBytes, naturalLanguage }: TextStats): string {
  const size = `${plural(lines, "line")}, ${plural(words, "word")}`;
  const strange = encoding === "utf-8" ? "" : `, ${encoding}`;
  const invalid = invalidBytes > 0 ? `, ${plural(invalidBytes, "byte")} not valid in ${encoding}` : "";
  const tail = `${size}${strange}${invalid}`;
  switch (structure.kind) {
    case "log": {
      const levels = Object.entries(structure.levels).filter(([, count]) => count > 0);
      const span =
        structure.firstTime === undefined ? "" : `, from ${structure.firstTime} to ${structure.lastTime ?? "?"}`;
      return `log of ${tail}${levels.length > 0 ? `; ${levels.map(([level, count]) => `${level} ${counted(count)}`).join(", ")}` : ""}${span}`;
    }
    case "config":
      return `configuration (${structure.format}), ${tail}`;
    case "code":
      return `${structure.language} source, ${tail}, ${plural(structure.functionCount, "function")}`;
    case "xml":
      return `XML <${structure.root}>, ${tail}`;
    case "prose":
      return `text${naturalLanguage === undefined ? "" : ` (${naturalLanguage})`}, ${tail}`;
  }
}

/** Fields a model should not list but filter or group by. */
export function manyValued(stats: ArtifactStats): string[] {
  if (stats.kind === "csv") {
    return stats.columns
      .filter(({ highCardinality }) => highCardinality)
      .map(({ name, distinct }) => `${JSON.stringify(name)} (~${counted(distinct.count)})`);
  }
  if (stats.kind !== "json" && stats.kind !== "jsonl") return [];
  return stats.fields
    .filter(({ highCardinality }) => highCardinality)
    .map(({ path, distinct }) => `${path} (~${counted(distinct?.count ?? 0)})`);
}

/** `$.items[].id string`: the described paths that hold values. */
export function fieldLines(fields: readonly JsonField[], limit: number): string[] {
  return fields
    .filter(({ types }) => types.string || types.number || types.boolean || types.null || types.array)
    .slice(0, limit)
    .map(({ path, types, items, samples }) => {
      const of = Object.keys(types).join("|");
      const shown = samples
        .slice(0, 2)
        .map((sample) => written(sample).slice(0, 40))
        .join(", ");
      return `${path} ${of}${items === undefined ? "" : ` of ${counted(items)}`}${shown === "" ? "" : `, e.g. ${shown}`}`;
    });
}

const written = (sample: JsonField["samples"][number]) =>
  typeof sample === "object" && sample !== null ? sample.integer : JSON.stringify(sample);
