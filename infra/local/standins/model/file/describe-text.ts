import { extractSummary } from "../summary.ts";
import { extensionOf, type FileView } from "./file-view.ts";
import { languages } from "./languages.ts";

/** Longest description: a line of an index. */
const maxCharacters = 300;
const maxNames = 12;
const maxKeys = 15;

const declaration =
  /^\s{0,4}(?:(?:export|default|declare|abstract|async|public|private|protected|static|final|pub(?:\(\w+\))?|unsafe|open|internal|sealed|data|inline)\s+){0,6}(?:function\*?|class|interface|type|enum|struct|trait|impl|fn|func|def|object|protocol|record|module|namespace|const|let|var|CREATE (?:TABLE|VIEW))\s+([A-Za-z_$][\w$]*)/gim;
const exported =
  /^export\s+(?:default\s+|async\s+|abstract\s+|declare\s+)*(?:function\*?|class|interface|type|enum|const|let|var)\s+([A-Za-z_$][\w$]*)/gm;
const commentMark = /^\s*(?:\/\*\*?|\*\/?|\/\/+!?|#+!?|--|;+|<!--|"""|''')\s?/;

/** What a text file says of itself first: title, headings, names, columns, keys; never anything that is not in it. */
export function describeText(file: FileView): string {
  const said = described(file).replace(/\s+/g, " ").trim();
  return said.length <= maxCharacters ? said : `${said.slice(0, maxCharacters - 1).trimEnd()}…`;
}

function described(file: FileView): string {
  const extension = extensionOf(file.path);
  const language = languages.get(extension);
  if (file.text.trim() === "") return "Empty file.";
  if (language) return describeCode(file.text, language);
  if (extension === ".csv" || extension === ".tsv") return describeTable(file.text, extension);
  if (extension === ".json") return describeJson(file.text);
  if (/^\.(?:ya?ml|toml|ini|cfg|conf|properties)$/.test(extension)) return describeSettings(file.text);
  return describeProse(file.text);
}

function describeProse(text: string): string {
  const lines = text.split(/\r?\n/);
  const headings = lines.flatMap((line) => /^#{1,6}\s+(.{1,120}?)\s*#*\s*$/.exec(line)?.[1] ?? []);
  const title = headings[0] ?? lines.find((line) => line.trim() !== "")?.trim() ?? "";
  const prose = lines
    .filter((line) => !/^(?:#{1,6}\s|```|[-=*_]{3,}\s*$|\||!\[|<)/.test(line))
    .filter((line) => line.trim() !== title)
    .join("\n");
  const parts = headings.slice(1, 9);
  return [
    sentence(title.slice(0, 120)),
    sentence(extractSummary(prose, 1, 160)),
    parts.length > 0 ? `Sections: ${parts.join(", ")}.` : "",
  ].join(" ");
}

function describeCode(text: string, language: string): string {
  const names = namesIn(text, exported);
  const all = names.length > 0 ? names : namesIn(text, declaration);
  const opening = openingComment(text);
  const listed = all.slice(0, maxNames).join(", ");
  const more = all.length > maxNames ? ` and ${all.length - maxNames} more` : "";
  return [`${language}:`, sentence(opening), listed === "" ? "" : `Defines ${listed}${more}.`].join(" ");
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, name]) => name ?? []))];
}

/** The first sentence of the first comment that reads like one. */
function openingComment(text: string): string {
  const words: string[] = [];
  for (const line of text.split(/\r?\n/).slice(0, 60)) {
    const isComment = commentMark.test(line);
    const said = line
      .replace(commentMark, "")
      .replace(/(?:\*\/|-->|"""|''')\s*$/, "")
      .trim();
    if (isComment && /\p{L}{3,}.*\s.*\p{L}{2,}/u.test(said) && !/eslint|copyright|licen[sc]e|^!/i.test(said))
      words.push(said);
    else if (words.length > 0) break;
  }
  return /^.{1,159}?[.!?。](?=\s|$)/.exec(words.join(" "))?.[0] ?? words.join(" ").slice(0, 160);
}

function describeTable(text: string, extension: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const header = lines[0] ?? "";
  const separator = extension === ".tsv" ? "\t" : header.split(";").length > header.split(",").length ? ";" : ",";
  const columns = header.split(separator).map((name) => name.trim().replace(/^"|"$/g, ""));
  const wasCut = lines.some((line) => /^\[…/.test(line));
  const rows = wasCut ? `more than ${lines.length - 2} rows` : `${lines.length - 1} rows`;
  return `Table with columns ${columns.slice(0, maxKeys).join(", ")}${columns.length > maxKeys ? ", …" : ""}; ${rows}.`;
}

function describeJson(text: string): string {
  const keys = [...new Set([...text.matchAll(/^(?: {0,4}|\t)"([^"\\]{1,60})"\s*:/gm)].flatMap(([, key]) => key ?? []))];
  const field = (name: string) =>
    new RegExp(`^\\s{0,4}"${name}"\\s*:\\s*"([^"\\\\]{1,160})"`, "m").exec(text)?.[1] ?? "";
  const listed = keys.length > 0 ? `JSON with ${keys.slice(0, maxKeys).join(", ")}.` : "JSON data.";
  return [sentence(field("name")), sentence(field("description") || field("title")), listed].join(" ");
}

function describeSettings(text: string): string {
  const keys = [
    ...new Set(
      [...text.matchAll(/^(?:\[{1,2}([\w."-]{1,60})\]{1,2}|([\w.-]{1,60})\s*[:=])/gm)].flatMap(
        ([, section, key]) => section ?? key ?? [],
      ),
    ),
  ];
  return [sentence(openingComment(text)), `Settings: ${keys.slice(0, maxKeys).join(", ")}.`].join(" ");
}

function sentence(text: string): string {
  return text === "" || /[.!?:。…]$/.test(text) ? text : `${text}.`;
}
