import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { architectureFile, architectureGraph, withGraph } from "./graph.ts";
import { root } from "./source-tree.ts";

const documents = globSync("{*.md,{docs,cli,device,events,functions,infra,shared,test}/**/*.md}", { cwd: root });

/** Where the relative links of a Markdown text lead; code spans and fences hold examples, not links. */
function relativeLinks(markdown: string): string[] {
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)].map((match) => match[1] ?? "");
  return targets.filter((target) => !/^([a-z][a-z0-9+.-]*:|#)/i.test(target));
}

/** GitHub's anchor of a heading: lower case, spaces to hyphens, punctuation gone. */
const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

const anchorsOf = (markdown: string) =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6}\s+(.+)$/gm)].map((match) =>
    anchorOf(match[1] ?? ""),
  );

function brokenLinks(document: string): string[] {
  return relativeLinks(readFileSync(path.join(root, document), "utf8")).filter((link) => {
    const [file = "", anchor] = decodeURI(link).split("#");
    const target = path.join(root, path.dirname(document), file);
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchorsOf(readFileSync(target, "utf8")).includes(anchor);
  });
}

describe("the documents lead where they say", () => {
  test.each(documents)("every relative link of %s exists, its anchor too", (document) => {
    expect(brokenLinks(document)).toEqual([]);
  });

  test("the reader of links finds them, and none in code", () => {
    const text = "[a](b.md#c) `[x](y.md)` ![i](i.png) [w](https://example.com)\n```\n[z](z.md)\n```\n[d](../d.ts)";
    expect(relativeLinks(text)).toEqual(["b.md#c", "i.png", "../d.ts"]);
  });

  test("docs/architecture.md draws the imports that the code has (npm run docs:architecture)", () => {
    const text = readFileSync(architectureFile, "utf8");
    expect(withGraph(text, architectureGraph())).toBe(text);
  });
});

test("every decision says when it was taken, what it stands at, and what else was thought of", () => {
  const wanting = globSync("docs/decisions/*.md", { cwd: root }).filter((file) => {
    const number = /(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1];
    const form = new RegExp(`^# ${number}: .+\\n\\n(?:Accepted|Superseded), \\d{4}-\\d\\d-\\d\\d.*\\.\\n`);
    const text = readFileSync(path.join(root, file), "utf8");
    return !form.test(text) || !text.includes("| alternative | why not |");
  });
  const numbers = globSync("docs/decisions/*.md", { cwd: root }).map((file) => /(\d{4})-/.exec(file)?.[1]);
  expect(wanting).toEqual([]);
  expect(new Set(numbers).size).toBe(numbers.length);
});
