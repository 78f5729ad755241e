import { seededRandom } from "../../../infra/standins/seeded-random.ts";
import { readArguments } from "../arguments.ts";
import { type CorpusMail, loadMail } from "../corpus.ts";
import { dataFiles } from "../data-files.ts";
import { bootstrap } from "../intervals.ts";
import { sample } from "../sample.ts";
import { percent, table } from "../table.ts";
import { tastes } from "./made-up-person.ts";
import { type Order, orders, type Page, replay } from "./replay.ts";

const people = 6;
const mailsOfOne = 600;

/**
 * `npm run eval -- ranking`: made-up people decide on real mail, page by page; how far up the pages what they approve stands,
 * in order of arrival, by rules alone, and with what was learned from their decisions before.
 */
export async function rankingCommand(args: readonly string[]): Promise<void> {
  const { files, json, limit, seed } = readArguments(args);
  const mails = (await loadMail(dataFiles(files, "mail/dev/*.jsonl.gz"))).filter(({ spam }) => !spam);
  const report = [];
  for (const taste of tastes) {
    const pages = new Map<Order, Page[]>(orders.map((order) => [order, []]));
    const gained: number[] = [];
    for (let person = 1; person <= people; person += 1) {
      const own = shuffled(sample(mails, Math.min(limit, mailsOfOne), seed * 1_000 + person), seed + person);
      const told = await replay(own, taste, seed * 100 + person);
      for (const [order, each] of told) pages.get(order)?.push(...each);
      const [rules = [], both = []] = [told.get("rules alone"), told.get("rules and learning")];
      gained.push(...both.map(({ average }, at) => average - (rules[at]?.average ?? 0)));
    }
    for (const [order, all] of pages) report.push({ taste, order, ...figures(all, seed) });
    report.push({
      taste,
      order: "learning less rules",
      pages: gained.length,
      average: meanOf(gained, seed),
      top: null,
    });
  }
  if (json) {
    console.log(JSON.stringify({ seed, people, mails: mails.length, report }));
    return;
  }
  console.log(
    `${people} made-up people of each taste, pages of 20 of ${mails.length} real mails, percent with 95 % intervals (bootstrap over pages)\n`,
  );
  const rows = report.map(({ taste, order, pages, average, top }) => [
    taste,
    order,
    String(pages),
    shown(average),
    shown(top),
  ]);
  console.log(table([["decides by", "order", "pages", "average precision", "of the first five"], ...rows]));
  console.log(
    "\nThe people are made up (test/eval/ranking/made-up-person.ts). The first taste rests on what the model can see: it says that" +
      "\nlearning works as built, not how much a real person gains. The other two say what it costs where there is nothing to learn.",
  );
}

interface Figure {
  readonly mean: number;
  readonly interval: readonly [number, number] | null;
}

const figures = (pages: readonly Page[], seed: number) => ({
  pages: pages.length,
  average: meanOf(
    pages.map(({ average }) => average),
    seed,
  ),
  top: meanOf(
    pages.map(({ top }) => top),
    seed,
  ),
});

function meanOf(values: readonly number[], seed: number): Figure {
  const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / Math.max(1, all.length);
  const groups = values.map((each) => [each]);
  return { mean: mean(values), interval: bootstrap(groups, mean, { seed }) };
}

function shown(figure: Figure | null): string {
  if (figure === null) return "";
  const { mean, interval } = figure;
  return interval === null ? percent(mean) : `${percent(mean)} [${percent(interval[0])}–${percent(interval[1])}]`;
}

function shuffled(mails: readonly CorpusMail[], seed: number): CorpusMail[] {
  const random = seededRandom(seed);
  return mails
    .map((mail) => ({ mail, draw: random() }))
    .toSorted((one, other) => one.draw - other.draw)
    .map(({ mail }) => mail);
}
