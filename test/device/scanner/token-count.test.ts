import { expect, test } from "vitest";
import { countTokens, hasMoreTokens } from "../../../device/access/reading/token-count.ts";
import { rounds } from "../../rounds.ts";

const pieces = [
  ..."aZ09 \n\t_'.-(/<|>é漢ñ",
  "word",
  "camelCase",
  "don't",
  "I'LL",
  "e\u0301tat",
  "a\u0301",
  "über",
  "ſ",
  "<|endoftext|>",
  "<|fim_prefix|>",
  "<|endofprompt|>",
  "https://",
  "𠮷",
  "สวัสดี",
  " the",
  " and",
];

/** Numerical Recipes' generator. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("a text that is said to have more tokens has more", async () => {
  const below = generator(1);
  for (let round = 0; round < rounds(3_000); round++) {
    const text = Array.from({ length: 1 + below(40) }, () => pieces[below(pieces.length)]).join("");
    const tokens = await countTokens(text);
    expect(hasMoreTokens(text, tokens), JSON.stringify(text)).toBe(false);
  }
});

test("long prose is told without the tokenizer, and nothing is said of what just fits", () => {
  expect(hasMoreTokens("some words about it. ".repeat(300), 1_000)).toBe(true);
  expect(hasMoreTokens("some words about it. ".repeat(200), 1_000)).toBe(false);
});

test("counting ends where there are more than enough", async () => {
  const text = "some words about it. ".repeat(5_000);
  const all = await countTokens(text);
  const some = await countTokens(text, 1_000);
  expect(some).toBeGreaterThan(1_000);
  expect(some).toBeLessThan(all);
  expect(await countTokens(text, all)).toBe(all);
});
