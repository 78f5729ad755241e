import { expect, test } from "vitest";
import { seeds } from "../../rounds.ts";
import type { CorpusMail } from "../corpus.ts";
import { madeUpPerson } from "./made-up-person.ts";
import { orders, type Page, replay } from "./replay.ts";

/** Mail of eight senders, with words of their own. */
const mails = Array.from({ length: 240 }, (_, n): CorpusMail => {
  const sender = n % 8;
  const view = {
    subject: `Report ${"abcdefgh"[sender]}${"x".repeat(sender + 3)}`,
    sender: `S${sender} <s${sender}@example.org>`,
    body: "Hello.",
  };
  const unsaid = { kind: "", language: "", invented: [], shingles: [] } as const;
  return { id: `m${n}`, source: "made", subset: "", cluster: `m${n}`, spam: false, ...unsaid, view };
});

const mean = (pages: readonly Page[] = []) => pages.reduce((sum, { average }) => sum + average, 0) / pages.length;

test("13: the replay repeats with its seed, and every order has seen the same pages", async () => {
  const [one, other] = [await replay(mails, "a coin", 7), await replay(mails, "a coin", 7)];
  expect(one).toEqual(other);
  expect(new Set(orders.map((order) => one.get(order)?.length)).size).toBe(1);
});

test("13: where a person goes by the sender, what was learned puts it further up than rules alone", async () => {
  let gained = 0;
  const drawn = seeds([1, 2, 3, 4]);
  for (const seed of drawn) {
    const pages = await replay(mails, "sender and subject", seed);
    gained += mean(pages.get("rules and learning")) - mean(pages.get("rules alone"));
  }
  expect(gained / drawn.length).toBeGreaterThan(0.02);
});

test("a made-up person decides the same of the same mail in the same order", () => {
  const said = (seed: number) => {
    const decide = madeUpPerson("a coin", seed);
    return Array.from({ length: 40 }, () => decide({} as Parameters<typeof decide>[0]));
  };
  expect(said(1)).toEqual(said(1));
  expect(said(1)).not.toEqual(said(2));
});
