import { delimited, randomNonce } from "../../../shared/privacy/delimiters.ts";
import { asWord } from "../../shell-words.ts";
import type { FileMetadata } from "../metadata.ts";
import { maxQueriedBytes } from "../thresholds.ts";
import { fieldLines, manyValued, shapeOf } from "./shape.ts";
import { compileTemplate, type TemplateData } from "./template.ts";

const maxFields = 20;
const maxNames = 12;

/** A context block: what a model needs to know of an artifact it has not been shown. */
const contextTemplate = compileTemplate(`Stored as artifact {{id}} ({{size}}, {{contentType}}): {{shape}}.
{{#fields}}
- {{.}}
{{/fields}}
{{#many}}
Many different values: {{.}}.
{{/many}}
{{#headings}}
Headings: {{.}}.
{{/headings}}
{{#functions}}
Functions: {{.}}.
{{/functions}}
{{#next}}
Next: {{.}}.
{{/next}}
`);

const listTemplate = compileTemplate(`{{#artifacts}}
{{id}}  {{size}}  {{shape}}
{{/artifacts}}
{{^artifacts}}
No artifacts.
{{/artifacts}}
`);

/** Templates of the person's own, in place of the built-in ones. */
export interface ArtifactTemplates {
  readonly context?: string | undefined;
  readonly list?: string | undefined;
}

/**
 * The few lines a model needs: shape, fields with many values, headings, levels, and what to do next. They quote content.
 * @throws ArtifactError `template_invalid`
 */
export function extractContext(metadata: FileMetadata, { context }: ArtifactTemplates = {}): string {
  const render = context === undefined ? contextTemplate : compileTemplate(context);
  return render(contextData(metadata), oneLine).trimEnd();
}

/** The same for the person it is shown to: what to do next are commands, and no tools of a model's. */
export function contextForPerson(metadata: FileMetadata): string {
  const known = contextTemplate({ ...contextData(metadata), next: undefined }, oneLine).trimEnd();
  const next = nextCommand(metadata);
  return next === undefined ? known : `${known}\nNext: ${next}`;
}

/** Artifacts as lines: id, size, shape. */
export function renderList(artifacts: readonly FileMetadata[], { list }: ArtifactTemplates = {}): string {
  const render = list === undefined ? listTemplate : compileTemplate(list);
  return render({ artifacts: artifacts.map(contextData) }, oneLine).trimEnd();
}

/** What stands in the conversation in the content's place: the context and the preview, told apart from instructions. */
export function contextBlock(
  metadata: FileMetadata,
  templates: ArtifactTemplates = {},
  newNonce: () => string = randomNonce,
): string {
  const context = extractContext(metadata, templates);
  return delimited(`${context}\nPreview:\n${metadata.preview}`, `artifact ${metadata.id}`, newNonce);
}

/** What templates for artifacts can name. */
export function contextData(metadata: FileMetadata): TemplateData {
  const { id, stats, contentType, origin, sizeBytes, createdAt } = metadata;
  const many = manyValued(stats);
  const isJson = stats.kind === "json" || stats.kind === "jsonl";
  return {
    id,
    size: sizeText(sizeBytes),
    sizeBytes,
    contentType,
    kind: stats.kind,
    tool: origin.tool,
    createdAt: new Date(createdAt).toISOString(),
    shape: shapeOf(stats),
    fields: isJson ? fieldLines(stats.fields, maxFields) : [],
    many: many.length === 0 ? undefined : many.slice(0, maxNames).join(", "),
    headings:
      stats.kind === "html" || stats.kind === "markdown"
        ? stats.headings.first.map(({ level, text }) => `${"#".repeat(level)} ${text}`).join("; ")
        : undefined,
    functions:
      stats.kind === "text" && stats.structure.kind === "code"
        ? stats.structure.functions.slice(0, maxNames).join(", ")
        : undefined,
    next: nextStep(metadata),
  };
}

function nextStep({ id, stats, sizeBytes }: FileMetadata): string {
  const named = JSON.stringify(id);
  switch (stats.kind) {
    case "json":
    case "jsonl":
    case "csv": {
      if (stats.kind !== "csv" && !stats.valid) return `artifact_read or artifact_grep ${named}; it is no whole JSON`;
      if (sizeBytes > maxQueriedBytes) {
        const bound = sizeText(maxQueriedBytes);
        return `artifact_grep ${named}, or artifact_read a part; artifact_query takes up to ${bound}`;
      }
      return `artifact_query ${named} with JMESPath, for example ${exampleQuery(stats)}, or artifact_grep`;
    }
    case "text":
      return stats.structure.kind === "log"
        ? `artifact_grep ${named} for a level or a time, then artifact_read the lines around it`
        : `artifact_grep ${named}, or artifact_read its lines`;
    case "html":
    case "markdown":
      return `artifact_grep ${named}, or artifact_read its lines`;
    case "binary":
      return `give it to a tool as {"$artifact": ${named}}; it is not text`;
  }
}

function nextCommand({ id, stats, sizeBytes }: FileMetadata): string | undefined {
  const word = asWord(id);
  const grep = `scouts artifacts grep TEXT ${word}`;
  switch (stats.kind) {
    case "json":
    case "jsonl":
    case "csv": {
      const isWhole = stats.kind === "csv" || stats.valid;
      if (!isWhole || sizeBytes > maxQueriedBytes) return grep;
      return `scouts artifacts query ${word} ${asWord(exampleQuery(stats).replaceAll("`", ""))}, or ${grep}`;
    }
    case "text":
    case "html":
    case "markdown":
      return `${grep}, or scouts artifacts show ${word} --lines 1-20`;
    case "binary":
      return undefined;
  }
}

function exampleQuery(stats: Extract<FileMetadata["stats"], { kind: "json" | "jsonl" | "csv" }>): string {
  if (stats.kind === "csv" || stats.kind === "jsonl" || stats.root === "array") return "`[0:5]`";
  const list = stats.fields.find(({ path, types }) => types.array !== undefined && path !== "$");
  return list === undefined ? "`keys(@)`" : `\`${list.path.replace(/^\$\.?/, "")}[0:5]\``;
}

/** A size in words: bytes below 1,024, then KB, MB or GB (powers of 1,024), with one digit after the point below 10. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`;
  const units = ["KB", "MB", "GB"];
  let [value, unit] = [bytes / 1_024, 0];
  while (value >= 1_024 && unit < units.length - 1) [value, unit] = [value / 1_024, unit + 1];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** Content cannot begin a line of its own. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
