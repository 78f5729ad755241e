import type { TextStructure } from "../stats.ts";

type Code = Extract<TextStructure, { kind: "code" }>;

const maxListed = 100;
const maxLineChars = 400;
const modifiers =
  "(?:export |default |declare |async |public |private |protected |internal |static |final |override |virtual |abstract |unsafe |inline |extern |const |pub(?:\\([a-z]{1,10}\\))? )";
const arrow =
  /^\s*(?:export )?(?:const|let|var) (\w+)\s*(?::[^=]{1,80})?=\s*(?:async )?(?:\([^)]{0,200}\)|\w+)\s*(?::[^=]{1,80})?=>/;
const named = (keyword: string) =>
  new RegExp(`^\\s*${modifiers}{0,6}${keyword}\\s+(?:\\([^)]{0,80}\\)\\s*)?([\\w$]+)\\s*[(<\\[{:]?`);
/** `int name(…) {` and methods of Java and C#: a type, a name, brackets, no semicolon. */
const typed =
  /^(?:\s{0,8})(?!(?:return|else|new|throw|case|if|for|while|switch|using|typedef)\b)(?:[A-Za-z_][\w:<>,[\].*&]*\s+){1,6}[*&]{0,2}([A-Za-z_~]\w*)\s*\([^;]{0,300}$/;

/** How functions are named in a language; patterns have no nested repetition and are tried on short lines only. */
const definitions: Record<string, readonly RegExp[]> = {
  javascript: [named("function\\*?"), arrow],
  typescript: [named("function\\*?"), arrow],
  python: [named("def")],
  ruby: [named("def")],
  go: [named("func")],
  rust: [named("fn")],
  kotlin: [named("fun")],
  swift: [named("func")],
  php: [named("function")],
  shell: [/^\s*(?:function\s+)?([\w-]+)\s*\(\)\s*\{?/],
  lua: [named("(?:local )?function")],
  perl: [named("sub")],
  sql: [/^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE)\s+([\w.]+)/i],
  java: [typed],
  csharp: [typed],
  c: [typed],
  cpp: [typed],
};

/** Names of the functions of a program, line by line. */
export class CodeLines {
  readonly #language: string;
  readonly #patterns: readonly RegExp[];
  readonly #functions: string[] = [];
  #count = 0;

  constructor(language: string) {
    this.#language = language;
    this.#patterns = definitions[language] ?? [];
  }

  add(bytes: Buffer): void {
    if (bytes.length > maxLineChars) return;
    const line = bytes.toString("utf8");
    for (const pattern of this.#patterns) {
      const name = pattern.exec(line)?.[1];
      if (name === undefined) continue;
      this.#count++;
      if (this.#functions.length < maxListed) this.#functions.push(name);
      return;
    }
  }

  end(): Code {
    return { kind: "code", language: this.#language, functions: this.#functions, functionCount: this.#count };
  }
}
