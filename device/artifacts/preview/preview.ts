import { countTokens } from "../../access/reading/token-count.ts";
import type { Description } from "../description/describe.ts";
import type { ArtifactStats, BinaryStats, CsvStats, JsonStats } from "../stats/stats.ts";
import { jsonPreviews } from "./json-preview.ts";

const maxTextChars = 300;
const maxRows = 100;
/** No text has more characters for a token; what is longer need not be counted. */
const mostCharsPerToken = 16;

/**
 * The beginning of an artifact as it may stand in a conversation: its structure kept (JSON is JSON), within so many tokens
 * (o200k).
 */
export async function previewOf(
  { stats, headText }: Pick<Description, "stats" | "headText">,
  maxTokens: number,
): Promise<string> {
  switch (stats.kind) {
    case "json":
    case "jsonl":
      return jsonPreview(headText, stats, maxTokens);
    case "csv":
      return csvPreview(headText, stats, maxTokens);
    default:
      return fitted(plainPreview(stats, headText), maxTokens);
  }
}

async function jsonPreview(headText: string, stats: JsonStats, maxTokens: number): Promise<string> {
  for (const preview of jsonPreviews(headText, stats)) {
    if (await fits(preview, maxTokens)) return preview;
  }
  return "null";
}

function plainPreview(stats: Exclude<ArtifactStats, JsonStats | CsvStats>, headText: string): string {
  if (stats.kind === "binary") return binaryPreview(stats);
  const text = headText.slice(0, maxTextChars).toWellFormed();
  const shown = text.length < headText.length ? `${text}…` : text;
  return stats.kind === "html" && stats.title !== "" ? `${stats.title}\n\n${shown}` : shown;
}

function binaryPreview({ format, image, pdf, archive }: BinaryStats): string {
  const facts = [
    format,
    ...(image ? [`${image.width} × ${image.height} pixels`] : []),
    ...(pdf ? [`${pdf.pages ?? "unknown number of"} pages${pdf.isEncrypted ? ", encrypted" : ""}`] : []),
    ...(archive?.entries === undefined ? [] : [`${archive.entries} entries`]),
    ...(archive?.names.slice(0, 10) ?? []),
  ];
  return facts.join(", ");
}

/** Whole lines from the top, and how many rows there are. */
async function csvPreview(headText: string, { rows, hasHeader }: CsvStats, maxTokens: number): Promise<string> {
  const lines = headText.split(/\r?\n/, maxRows + (hasHeader ? 1 : 0));
  for (let count = lines.length; count > 0; count = Math.floor(count * 0.6)) {
    const shown = lines.slice(0, count).join("\n").trimEnd();
    const isAll = count === lines.length && lines.length > rows + (hasHeader ? 1 : 0);
    const preview = isAll ? shown : `${shown}\n… ${rows} rows in all`;
    if (await fits(preview, maxTokens)) return preview;
  }
  return fitted(`${lines[0] ?? ""}`, maxTokens);
}

async function fits(text: string, maxTokens: number): Promise<boolean> {
  return text.length <= maxTokens * mostCharsPerToken && (await countTokens(text)) <= maxTokens;
}

async function fitted(text: string, maxTokens: number): Promise<string> {
  let shown = text.slice(0, maxTokens * mostCharsPerToken).toWellFormed();
  while (!(await fits(shown, maxTokens))) shown = shown.slice(0, Math.floor(shown.length * 0.7)).toWellFormed();
  return shown;
}
