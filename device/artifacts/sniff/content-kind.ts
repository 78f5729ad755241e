import { type TextEncoding, textEncodingOf } from "../../files/text/text-encoding.ts";
import { JsonFields } from "../stats/json/json-fields.ts";
import { type JsonForm, JsonScanner } from "../stats/json/json-scanner.ts";
import { type CsvDialect, sniffCsv } from "./csv-dialect.ts";
import { type BinaryFormat, sniffBinary } from "./magic.ts";
import { type StructureKind, textStructureOf } from "./text-structure.ts";

/** What the giver of content says about it. The bytes have the last word. */
export interface ContentHint {
  /** A file name; only its extension is looked at. */
  readonly name?: string;
  readonly mediaType?: string;
}

export type ContentKind =
  | { readonly kind: "binary"; readonly format: BinaryFormat | undefined }
  | ({ readonly encoding: TextEncoding } & TextKind);

export type TextKind =
  | { readonly kind: "json"; readonly form: JsonForm }
  | { readonly kind: "csv"; readonly dialect: CsvDialect }
  | { readonly kind: "html" | "markdown" }
  | { readonly kind: "text"; readonly structure: StructureKind };

/** Enough to tell kinds apart; also what previews are made of. */
export const headBytes = 64 * 1024;

/** What a file is, by its first bytes. `isWhole`: there are no others. */
export function sniffContent(head: Buffer, hint: ContentHint, isWhole: boolean): ContentKind {
  const encoding = textEncodingOf(head, isWhole);
  const binary = sniffBinary(head, encoding !== undefined);
  if (binary !== undefined || encoding === undefined) return { kind: "binary", format: binary };
  const text = new TextDecoder(encoding.label).decode(head.subarray(encoding.bomBytes), { stream: !isWhole });
  return { encoding, ...textKind(text, extensionOf(hint), isWhole) };
}

const extensionOfMediaType: Record<string, string> = {
  "application/json": "json",
  "application/jsonl": "jsonl",
  "application/x-ndjson": "jsonl",
  "text/csv": "csv",
  "text/tab-separated-values": "tsv",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "md",
  "text/xml": "xml",
  "application/xml": "xml",
  "application/yaml": "yaml",
};

/** Extension a hint stands for, lower case, without the dot; "" when it says nothing. */
export function extensionOf({ name, mediaType }: ContentHint): string {
  const type = mediaType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const byType = Object.hasOwn(extensionOfMediaType, type) ? extensionOfMediaType[type] : undefined;
  return (
    /\.([A-Za-z0-9]{1,10})$/.exec(name ?? "")?.[1]?.toLowerCase() ?? byType ?? (type.endsWith("+json") ? "json" : "")
  );
}

function textKind(text: string, extension: string, isWhole: boolean): TextKind {
  const json = jsonForm(text, extension, isWhole);
  if (json !== undefined) return { kind: "json", form: json };
  if (isHtml(text, extension)) return { kind: "html" };
  if (extension === "md" || extension === "markdown") return { kind: "markdown" };
  const isTable = extension === "csv" || extension === "tsv";
  const dialect = isTable ? sniffCsv(text, true, isWhole) : undefined;
  if (dialect !== undefined) return { kind: "csv", dialect };
  const structure = textStructureOf(text, extension);
  if (structure.kind !== "prose") return { kind: "text", structure };
  const guessed = extension === "txt" ? undefined : sniffCsv(text, false, isWhole);
  if (guessed !== undefined) return { kind: "csv", dialect: guessed };
  return extension === "" && isMarkdown(text) ? { kind: "markdown" } : { kind: "text", structure };
}

const jsonExtensions = ["json", "geojson", "topojson", "webmanifest", "ipynb", "map"];

/**
 * Undefined when the text is not JSON. What is called so is, however broken; otherwise the beginning must be an object or
 * array that holds together, or falls apart only after a few keys.
 */
function jsonForm(text: string, extension: string, isWhole: boolean): JsonForm | undefined {
  if (extension === "jsonl" || extension === "ndjson") return "rows";
  if (jsonExtensions.includes(extension)) return "one";
  if (!/^\s*[[{]/.test(text) || (extension !== "" && extension !== "txt" && extension !== "log")) return undefined;
  const fields = new JsonFields();
  const scanner = new JsonScanner(fields, "either");
  scanner.write(Buffer.from(text));
  if (isWhole) scanner.end();
  const { error, rows, badLines } = scanner;
  if (rows > 1) return badLines > rows ? undefined : "rows";
  if (error === undefined) return "either";
  return fields.keys >= 3 && rows === 0 ? "one" : undefined;
}

const htmlStart =
  /^\s*(?:<!doctype html|<(?:html|head|body|title|meta|script|style|link|div|span|p|h[1-6]|table|ul|ol|a|img|form|section|article|main|nav|header|br|iframe|b|i)\b)/i;

function isHtml(text: string, extension: string): boolean {
  const isCalledHtml = ["html", "htm", "xhtml"].includes(extension);
  if (isCalledHtml) return true;
  if (extension !== "" && extension !== "txt") return false;
  const head = text.slice(0, 8_000);
  const behindProlog = head.startsWith("<?xml") ? head.slice(head.indexOf("?>") + 2) : head;
  const withoutComment = /^\s*<!--/.test(behindProlog)
    ? behindProlog.slice(behindProlog.indexOf("-->") + 3)
    : behindProlog;
  return htmlStart.test(withoutComment);
}

/** Marks of Markdown on different lines: headings, fences, links, lists, tables, emphasis. */
function isMarkdown(text: string): boolean {
  const lines = text.slice(0, 20_000).split("\n").slice(0, -1);
  const count = (pattern: RegExp) => lines.filter((line) => line.length < 2_000 && pattern.test(line)).length;
  const headings = count(/^#{1,6} \S/);
  const marks = [
    headings,
    count(/^(?:```|~~~)/) / 2,
    count(/\[[^[\]]{1,200}\]\([^)\s]{1,500}\)/),
    count(/^ {0,3}[-*+] \S/) / 3,
    count(/^\|.*\|\s*$/) / 3,
    count(/\*\*[^*]{1,100}\*\*/),
  ];
  const kinds = marks.filter((mark) => mark >= 1).length;
  return (headings >= 2 && kinds >= 2) || kinds >= 3;
}
