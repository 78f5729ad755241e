import { describeJson } from "./describe-json.ts";
import { describeLog, isLog } from "./describe-log.ts";
import { describeProse } from "./describe-prose.ts";
import { describeTable } from "./describe-table.ts";
import { describeXml } from "./describe-xml.ts";
import { partsOf } from "./excerpt-parts.ts";
import { extensionOf, type FileView } from "./file-view.ts";
import { frequentWords } from "./frequent-words.ts";
import { languages } from "./languages.ts";
import { namedFields } from "./named-fields.ts";
import { sentence } from "./sentence.ts";

/** Longest description: a line of an index. */
const maxCharacters = 300;
const maxNames = 12;
const maxKeys = 15;

const markup = new Set([".xml", ".svg", ".xsd", ".xsl", ".xslt", ".plist", ".html", ".htm", ".xhtml"]);
const declaration =
  /^\s{0,4}(?:(?:export|default|declare|abstract|async|public|private|protected|static|final|pub(?:\(\w+\))?|unsafe|open|internal|sealed|data|inline)\s+){0,6}(?:function\*?|class|interface|type|enum|struct|trait|impl|fn|func|def|object|protocol|record|module|namespace|const|let|var|CREATE (?:TABLE|VIEW))\s+([A-Za-z_$][\w$]*)/gim;
const exported =
  /^export\s+(?:default\s+|async\s+|abstract\s+|declare\s+)*(?:function\*?|class|interface|type|enum|const|let|var)\s+([A-Za-z_$][\w$]*)/gm;
const commentMark = /^\s*(?:\/\*\*?|\*\/?|\/\/+!?|#+!?|--|;+|<!--|"""|''')\s?/;

/** What a text file says of itself first: title, headings, names, columns, keys; never anything that is not in it. */
export function describeText(file: FileView): string {
  const said = described(file)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const shown = /[\p{L}\p{N}]/u.test(said) ? said : unworded(file.text);
  return shown.length <= maxCharacters
    ? shown
    : `${shown
        .slice(0, maxCharacters - 1)
        .trimEnd()
        .toWellFormed()}…`;
}

/** Of a text that holds no words. */
function unworded(text: string): string {
  const lines = text.split("\n").length;
  return `Text without words, ${lines} ${lines === 1 ? "line" : "lines"}.`;
}

function described({ path, text }: FileView): string {
  const extension = extensionOf(path);
  const language = languages.get(extension);
  if (text.trim() === "") return "Empty file.";
  const parts = partsOf(text);
  const shown = [parts.head, ...parts.outline, parts.tail].join("\n");
  if (language) return describeCode(shown, language);
  if (extension === ".csv" || extension === ".tsv") return describeTable(parts, extension);
  if (extension === ".json" || extension === ".geojson") return describeJson(parts.head);
  if ((markup.has(extension) && /^\s*</.test(parts.head)) || /^\s*<\?xml\b/.test(parts.head)) return describeXml(shown);
  if (/^\.(?:ya?ml|toml|ini|cfg|conf|properties)$/.test(extension)) return describeSettings(shown);
  return isLog(parts.head.split(/\r?\n/)) ? describeLog(parts) : describeProse(parts);
}

function describeCode(text: string, language: string): string {
  const names = namesIn(text, exported);
  const all = names.length > 0 ? names : namesIn(text, declaration);
  const opening = openingComment(text);
  const listed = all.slice(0, maxNames).join(", ");
  const more = all.length > maxNames ? ` and ${all.length - maxNames} more` : "";
  const words = listed === "" ? frequentWords(text, maxNames, opening) : [];
  return [
    `${language}${opening === "" && listed === "" && words.length === 0 ? "." : ":"}`,
    sentence(opening),
    listed === "" ? "" : `Defines ${listed}${more}.`,
    words.length === 0 ? "" : `Often: ${words.join(", ")}.`,
  ].join(" ");
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
    if (isComment && holdsWords(said) && !/eslint|copyright|licen[sc]e|^!/i.test(said)) words.push(said);
    else if (words.length > 0) break;
  }
  return /^.{1,159}?[.!?。](?=\s|$)/.exec(words.join(" "))?.[0] ?? words.join(" ").slice(0, 160);
}

/** A word of three letters, and another one behind it. */
function holdsWords(said: string): boolean {
  const words = said.split(/\s+/);
  const first = words.findIndex((word) => /\p{L}{3}/u.test(word));
  return first !== -1 && words.slice(first + 1).some((word) => /\p{L}{2}/u.test(word));
}

function describeSettings(text: string): string {
  const keys = [
    ...new Set(
      [...text.matchAll(/^(?:\[{1,2}([\w."-]{1,60})\]{1,2}|([\w.-]{1,60})\s*[:=])/gm)].flatMap(
        ([, section, key]) => section ?? key ?? [],
      ),
    ),
  ];
  const names = ["name", "title", "description", "summary"];
  const fields = namedFields(text, names);
  const named = names.flatMap((name) => fields.get(name) ?? []).filter((value) => /^[^"']{3,160}$/.test(value));
  const listed = keys.length === 0 ? "" : `Settings: ${keys.slice(0, maxKeys).join(", ")}.`;
  const said = [...named.map(sentence), sentence(openingComment(text)), listed].join(" ");
  const words = frequentWords(text, maxNames, said);
  return words.length === 0 ? said : `${said} Often: ${words.join(", ")}.`;
}
