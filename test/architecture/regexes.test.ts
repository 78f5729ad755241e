import { expect, test } from "vitest";
import { expressionsIn } from "./regexes/expressions.ts";
import { read, slownessOf } from "./regexes/slowness.ts";
import { code } from "./source-tree.ts";

/**
 * Whatever a mail, a file, a model or a page holds is matched by somebody, and while one expression is matched a process does
 * nothing else. Most are slow for one of these reasons, and quick again with what stands behind it.
 */
const slowAndQuick: readonly (readonly [why: string, slow: RegExp, quick: RegExp])[] = [
  ["a run is tried from each of its places", /\s+$/, /(?<!\s)\s+$/],
  ["the same before something else", /[ \t]+(?=\r?\n)/g, /(?<![ \t])[ \t]+(?=\r?\n)/g],
  ["two runs share characters", /^\s*:?-*:?\s*$/, /^\s*(?::?-+:?\s*)?$/],
  ["a run and anything share characters", /^name:\s*(.*)$/, /^name:\s*(\S.*)?$/],
  ["a beginning comes again before the end comes", /\[([^\]]*)\]\(/g, /\[([^[\]]*)\]\(/g],
  ["an end that never comes is looked for again and again", /<!--[\s\S]*?-->/g, /<!--[\s\S]*?(?:-->|$)/g],
  ["a word is read in several ways", /^(?:pass|word|password)+$/, /^(?:pass|word)+$/],
  ["a look ahead goes to the end each time", /;(?=(?:[^"]*"[^"]*")*[^"]*$)/g, /(?:[^;"]|"[^"]*(?:"|$))+/g],
  ["characters by turns", /[ (][a-z0-9]*\d[a-z]+\d[a-z0-9]*$/, /(?<=[ (])[a-z0-9]+$/],
];

/** Expressions that are slow on long texts, and why they never meet one. */
const named: readonly (readonly [path: string, beginning: string, why: string])[] = [
  ["device/access/policy/sensitivity.ts", '"(?:itemType|categoryUuid)"', "6,000 characters of a file are looked at"],
];

const expressions = code.flatMap(({ path, text }) => expressionsIn(path, text));

test("expressions are found as literals, behind split, and as RegExp makes them of a text or a template", () => {
  const text = [
    "const day = String.raw`\\d+`;",
    "const most = 30;",
    "export const forms = [/a\\/b+/gu, new RegExp(`^$" + "{day}-$" + "{unknown}$`, 'm'), RegExp('[/]', flags)];",
    "export const run = new RegExp(`x{1,$" + "{most}}`);",
    "export const words = (text: string) => text.split(/,\\s*/i);",
  ].join("\n");
  expect(expressionsIn("x.ts", text)).toEqual([
    { path: "x.ts", line: 3, source: "a\\/b+", flags: "gu" },
    { path: "x.ts", line: 3, source: "^\\d+-1$", flags: "m" },
    { path: "x.ts", line: 3, source: "[/]", flags: "" },
    { path: "x.ts", line: 4, source: "x{1,30}", flags: "" },
    { path: "x.ts", line: 5, source: ",\\s*", flags: "ig" },
  ]);
});

test.for(slowAndQuick)("slow and quick are told apart: %s", ([_why, slow, quick]) => {
  expect(slownessOf(slow.source, slow.flags)).toBeTypeOf("string");
  expect(slownessOf(quick.source, quick.flags)).toBeUndefined();
});

test("steps are counted on the way that the language's own engine takes: both find the same", () => {
  const differ = expressions.flatMap(({ path, line, source, flags }) => {
    const { matcher, attacks } = read(source, flags);
    const own = new RegExp(source, flags.replace("g", ""));
    const texts = attacks.map(({ start, pump, ends }) => `${start}${pump.repeat(3)}${ends.at(-1)}`);
    const isSame = (text: string) => {
      own.lastIndex = 0;
      const found = own.exec(text);
      const [from, to] = matcher.firstIn(text) ?? [];
      return found?.index === from && (found === null || found.index + found[0].length === to);
    };
    return texts.every(isSame) ? [] : [`${path}:${line}`];
  });
  expect(differ).toEqual([]);
}, 120_000);

test("no expression takes more steps a character the longer a text is, but for those named with a reason", () => {
  const known = new Map<string, string | undefined>();
  const slow = expressions.flatMap(({ path, line, source, flags }) => {
    const key = `/${source}/${flags}`;
    if (!known.has(key)) known.set(key, slownessOf(source, flags));
    const text = known.get(key);
    return text === undefined ? [] : [{ path, source, said: `${path}:${line} ${key} is slow on ${text}` }];
  });
  const isNamed = (path: string, source: string) =>
    named.some(([place, beginning]) => path === place && source.startsWith(beginning));
  expect(slow.filter(({ path, source }) => !isNamed(path, source)).map(({ said }) => said)).toEqual([]);
  const unused = named.filter(
    ([place, beginning]) => !slow.some(({ path, source }) => path === place && source.startsWith(beginning)),
  );
  expect(unused).toEqual([]);
}, 240_000);
