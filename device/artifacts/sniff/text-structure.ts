import type { TextStructure } from "../stats/stats.ts";
import { levelOf, timeOf } from "../stats/text/log-lines.ts";
import { xmlOf } from "./xml-root.ts";

/** What a text is, as far as its beginning tells; what needs every line is counted later. */
export type StructureKind =
  | { readonly kind: "prose" | "log" }
  | { readonly kind: "config"; readonly format: Extract<TextStructure, { kind: "config" }>["format"] }
  | { readonly kind: "code"; readonly language: string }
  | Extract<TextStructure, { kind: "xml" }>;

const languageByExtension: Record<string, string> = {
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "typescript",
  py: "python",
  rb: "ruby",
  go: "go",
  rs: "rust",
  kt: "kotlin",
  swift: "swift",
  php: "php",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  lua: "lua",
  pl: "perl",
  sql: "sql",
  java: "java",
  cs: "csharp",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  cxx: "cpp",
};
const formatByExtension: Record<string, "ini" | "toml" | "yaml" | "env" | "properties" | "json5"> = {
  ini: "ini",
  cfg: "ini",
  conf: "ini",
  toml: "toml",
  lock: "toml",
  yaml: "yaml",
  yml: "yaml",
  env: "env",
  properties: "properties",
  json5: "json5",
  jsonc: "json5",
};

const maxLines = 400;

/** @param extension of the name the content came with, lower case, or "" */
export function textStructureOf(text: string, extension: string): StructureKind {
  const xml = xmlOf(text);
  if (xml !== undefined) return xml;
  const lines = text
    .slice(0, 40_000)
    .split(/\r?\n/, maxLines)
    .map((line) => line.slice(0, 300));
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.length === 0) return { kind: "prose" };
  const language = languageByExtension[extension] ?? interpreterOf(filled[0] ?? "");
  if (language !== undefined) return { kind: "code", language };
  const declared = formatByExtension[extension];
  if (declared !== undefined && (declared !== "toml" || extension === "toml" || isToml(filled))) {
    return { kind: "config", format: declared };
  }
  if (isLog(filled, extension)) return { kind: "log" };
  const format = configFormatOf(filled);
  if (format !== undefined) return { kind: "config", format };
  const guessed = languageOf(lines);
  return guessed === undefined ? { kind: "prose" } : { kind: "code", language: guessed };
}

function interpreterOf(line: string): string | undefined {
  const [path = "", ...given] = line.startsWith("#!") ? line.slice(2).trim().split(/\s+/) : [];
  const [called = "", ...options] = /(?:^|\/)env$/.test(path) ? given : [path, ...given];
  if (options.length > 1 || options.some((each) => !each.startsWith("-"))) return undefined;
  const program = /(?<!\w)\w+$/.exec(called.replace(/(?<![\d.])[\d.]+$/, ""))?.[0] ?? "";
  const names: Record<string, string> = {
    sh: "shell",
    bash: "shell",
    zsh: "shell",
    node: "javascript",
    python: "python",
    ruby: "ruby",
    perl: "perl",
    php: "php",
    lua: "lua",
  };
  return Object.hasOwn(names, program) ? names[program] : undefined;
}

/** Half the lines begin with a time; a third is enough when levels are named, or the file is called a log. */
function isLog(lines: readonly string[], extension: string): boolean {
  const timed = lines.filter((line) => timeOf(line) !== undefined).length / lines.length;
  const levelled = lines.filter((line) => levelOf(line) !== undefined).length / lines.length;
  if (lines.length < 3 && extension !== "log") return false;
  return (
    timed > 0.5 || (timed > 0.3 && levelled > 0.3) || levelled > 0.7 || (extension === "log" && timed + levelled > 0.2)
  );
}

const isToml = (lines: readonly string[]) => lines.some((line) => /^\[{1,2}[\w."-]+\]{1,2}\s*(?:#.*)?$/.test(line));

function configFormatOf(lines: readonly string[]): "ini" | "toml" | "yaml" | "env" | undefined {
  const told = lines.filter((line) => !/^\s*[#;]/.test(line));
  if (told.length < 2) return undefined;
  const share = (pattern: RegExp) => told.filter((line) => pattern.test(line)).length / told.length;
  const sections = share(/^\s*\[{1,2}[^\]]{1,100}\]{1,2}\s*(?:[#;].*)?$/);
  const assigned = share(/^\s*[\w."-]+\s*=\s*\S/);
  if (share(/^(?:export )?[A-Z][A-Z0-9_]*=/) > 0.9) return "env";
  if (sections > 0 && sections + assigned > 0.8) {
    return share(/^\s*[\w."-]+\s*=\s*(?:"|'|\[|\{|true|false|\d)/) > 0.8 * assigned ? "toml" : "ini";
  }
  const keyed = share(/^\s*(?:- )?[\w."'/-]+:(?:\s|$)/);
  const isYaml = keyed > 0.5 && keyed + share(/^\s*- /) + share(/^---\s*$|^\.\.\.\s*$/) > 0.8;
  return isYaml && told.some((line) => /^[\w"'-]+:(?:\s|$)|^- /.test(line)) ? "yaml" : undefined;
}

/** Marks of a language; one counts when it is on several lines. */
const marks: readonly [language: string, RegExp][] = [
  ["python", /^\s*(?:def \w+\(.*\)[^)]*:|from [\w.]+ import |import \w+(?: as \w+)?$|elif .*:|class \w.*:$)/],
  [
    "typescript",
    /^\s*(?:import type |export (?:interface|type) |interface \w+ \{)|\): (?:string|number|void|Promise<.{0,80}>) [{=]/,
  ],
  [
    "javascript",
    /^\s*(?:const \w+ = |let \w+ = |function\*? \w+\(|import .* from ["']|export (?:default|const|function) |module\.exports|\}\);$)|=> \{$/,
  ],
  ["go", /^(?:package \w+$|func (?:\(.*\) )?\w+\(|import \($|\t\w+ := )/],
  ["rust", /^\s*(?:pub (?:fn|struct|enum)|fn \w+|let mut |use [\w:]+;|impl\b)/],
  ["java", /^\s*(?:package [\w.]+;|import java|public (?:class|interface|static)|@Override)/],
  ["csharp", /^\s*(?:using [\w.]+;|namespace \w+|public (?:class|void|async|override) )/],
  ["cpp", /^\s*(?:#include <\w+>|std::|template\s*<|using namespace )/],
  ["c", /^\s*(?:#include [<"]\w+\.h[>"]|#define \w+|static \w+ \w+\(|typedef struct)/],
  ["php", /^\s*(?:<\?php|\$\w+ = |namespace [\w\\]+;)/],
  ["ruby", /^\s*(?:require ['"]|def \w+[?!]?$|end$|module [A-Z]\w*$)/],
  ["shell", /^\s*(?:fi$|done$|esac$|then$|if \[|for \w+ in |echo )/],
  ["sql", /^\s*(?:SELECT|INSERT INTO|CREATE TABLE|UPDATE \w+ SET|ALTER TABLE)\b/i],
];

function languageOf(lines: readonly string[]): string | undefined {
  const scores = marks.map(([language, pattern]) => ({
    language,
    hits: lines.filter((line) => line.length < 200 && pattern.test(line)).length,
  }));
  const [best] = scores.toSorted((a, b) => b.hits - a.hits);
  const isEnough = best !== undefined && best.hits >= 3 && best.hits > lines.length * 0.06;
  return isEnough ? best.language : undefined;
}
