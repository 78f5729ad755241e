import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { root } from "./source-tree.ts";

/** Where the documents show what a person types, and have tables of facts. */
export const documents = ["{README,CONTRIBUTING,SECURITY}.md", "docs/*.md"].flatMap((files) =>
  globSync(files, { cwd: root }),
);

export const textOf = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Words set as code. */
export const inCode = (text = "") => [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);

/** Cells of the rows of the table whose header begins like this. */
export function tableOf(file: string, header: string): string[][] {
  const [, after = ""] = textOf(file).split(`\n| ${header}`);
  const lines = after.split("\n").slice(2);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) => line.replace(/^\| *| *\|$/g, "").split(/ *(?<!\\)\| */));
}

const fences = /^ *```(\w*)\n([\s\S]*?)^ *```/gm;

/** Lines of a document's examples for a shell, without remarks; of those without a language too, unless told otherwise. */
export function shownLines(markdown: string, languages: readonly string[] = ["sh", ""]): string[] {
  return [...markdown.matchAll(fences)]
    .filter(([, language = ""]) => languages.includes(language))
    .flatMap(([, , lines = ""]) => lines.split("\n").map((line) => line.replace(/(?:^|\s)#(?:\s|$).*/, "")));
}

/** What stands behind `scouts` in a document's examples and in its text, a command each. */
export function callsIn(markdown: string): string[] {
  const shown = shownLines(markdown).flatMap((line) => line.split(/[|;&]|\$\(/));
  return [...shown, ...inCode(markdown.replace(fences, ""))].flatMap((text) => {
    const [, words] = /^[\s$]*(?:npx )?scouts ([a-z][^…)]*)/.exec(text) ?? [];
    return words === undefined ? [] : [words.trim()];
  });
}

/** Whether a call names a command that is there, with options that it has. */
export function isKnown(program: Command, call: string): boolean {
  const words = call.split(/\s+/);
  const ways = [program];
  for (const word of words) {
    const next = ways.at(-1)?.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    ways.push(next);
  }
  const last = ways.at(-1) ?? program;
  const [behind = ""] = words.slice(ways.length - 1);
  const isGroup = last.commands.length > 0 && last.registeredArguments.length === 0;
  if (last === program || (isGroup && /^[a-z-]+$/.test(behind))) return false;
  // What stands behind `--` is another program's.
  const [own = ""] = call.split(" -- ");
  const known = new Set(["--help", ...ways.flatMap((each) => each.options.map(({ long }) => long))]);
  return [...own.matchAll(/(?<=\s)--[a-z][a-z-]*/g)].every(([option]) => known.has(option));
}
