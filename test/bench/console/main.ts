import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Browser } from "playwright-core";
import { hasBrowser } from "../../browser.ts";
import { openTab, startBrowser } from "../../console/browser-page.ts";
import { type ConsoleHome, openConsole } from "../../console/console-home.ts";
import { percentile, percentilesOf, rounded, shown } from "../percentile.ts";
import { proposalsOf, scoutsOf } from "./data.ts";
import { framesWhileScrolling, heldByTab, keyToEffect, paints } from "./measure.ts";
import { servePlainList } from "./peer.ts";

/** What a person notices, in milliseconds: to the first paint, from a key to its effect, between two frames. */
const goals = { firstPaintMs: 1_000, keyMs: 100, frameMs: 50 } as const;
const frames = 300;
/** The tab forgets pages that nobody looks at within this. */
const settledMs = 7_000;

interface Tab {
  readonly firstPaintMs: number;
  readonly firstRowMs: number;
  readonly frameMs: readonly number[];
  readonly heapMb: number;
  readonly nodes: number;
}

const most = (values: readonly number[]) => rounded(Math.max(...values), 1);

function collectedHeapMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1_000_000;
}

/** Requests of a tab to the device, each asked a few times. */
async function answers(home: ConsoleHome, total: number): Promise<Record<string, number[]>> {
  const token = await home.token();
  const taken: Record<string, number[]> = {};
  const asked = {
    "first page": ["page", {}],
    "last page": ["page", { from: total - 100 }],
    "page of a reason": ["page", { why: "calendar", from: 100 }],
    counts: ["counts", {}],
    "search, many found": ["page", { words: "crepes" }],
    "search, none found": ["page", { words: "zzz" }],
  } as const;
  for (let n = 0; n < 12; n += 1) {
    for (const [name, [path, body]] of Object.entries(asked)) {
      const started = performance.now();
      const answer = await home.ask("POST", `/api/proposals/${path}`, { token, body });
      await answer.text();
      if (n > 1) taken[name] = [...(taken[name] ?? []), performance.now() - started];
    }
  }
  return taken;
}

async function consoleTab(browser: Browser, home: ConsoleHome) {
  const { page, close } = await openTab(browser, home);
  const painted = await paints(page);
  const before = await heldByTab(page);
  const frameMs = await framesWhileScrolling(page, frames);
  await page.evaluate("document.querySelector('.rows').scrollTo(0, 0)");
  await page.waitForTimeout(settledMs);
  const after = await heldByTab(page);
  await page.locator(".row h2 a").first().focus();
  const next = await keyToEffect(page, "j", 60);
  const decide = await keyToEffect(page, "a", 40);
  await close();
  return { ...painted, frameMs, ...after, heapMbAtFirst: before.heapMb, next, decide };
}

async function plainTab(browser: Browser, url: string): Promise<Tab> {
  const page = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
  await page.goto(url);
  const painted = await paints(page);
  const frameMs = await framesWhileScrolling(page, frames);
  const held = await heldByTab(page);
  await page.close();
  return { ...painted, frameMs, ...held };
}

const mark = (value: number, goal: number) => `${value} ms (goal ${goal})${value > goal ? " OVER" : ""}`;

/**
 * `npm run bench -- console [--proposals N] [--scouts N] [--json]`: the console's inbox in a browser, beside the same list as
 * plain HTML in the same browser.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      proposals: { type: "string", default: "10000" },
      scouts: { type: "string", default: "500" },
      json: { type: "boolean", default: false },
    },
  });
  if (!hasBrowser) {
    console.log("skipped: no browser is installed (the optional packages playwright-core and @sparticuz/chromium)");
    return 0;
  }
  const held = proposalsOf(Number(values.proposals), Number(values.scouts));
  const browser = await startBrowser();
  const home = await openConsole({ proposals: [], held, scouts: scoutsOf(Number(values.scouts)) });
  const peer = await servePlainList(held.toReversed());
  try {
    const heapBefore = collectedHeapMb();
    const server = await answers(home, held.length);
    const ours = await consoleTab(browser, home);
    const serverGrewMb = collectedHeapMb() - heapBefore;
    const plain = await plainTab(browser, peer.url);
    if (values.json) {
      console.log(JSON.stringify({ proposals: held.length, server, ours, plain, serverGrewMb }));
      return 0;
    }
    const slow = ours.frameMs.filter((ms) => ms > goals.frameMs).length;
    const plainSlow = plain.frameMs.filter((ms) => ms > goals.frameMs).length;
    console.log(`${held.length} proposals of ${values.scouts} scouts`);
    for (const [name, taken] of Object.entries(server))
      console.log(`  ${name.padEnd(20)} ${shown(percentilesOf(taken))}`);
    console.log(
      `first paint    ${mark(rounded(ours.firstPaintMs, 0), goals.firstPaintMs)}; first row ${rounded(ours.firstRowMs, 0)} ms`,
    );
    console.log(
      `  plain HTML   ${rounded(plain.firstPaintMs, 0)} ms; ratio ${rounded(ours.firstPaintMs / plain.firstPaintMs)}`,
    );
    console.log(`key j          ${shown(percentilesOf(ours.next))}, most ${mark(most(ours.next), goals.keyMs)}`);
    console.log(`key a          ${shown(percentilesOf(ours.decide))}, most ${mark(most(ours.decide), goals.keyMs)}`);
    console.log(
      `frames         ${shown(percentilesOf(ours.frameMs))}, most ${mark(most(ours.frameMs), goals.frameMs)}; ${slow} of ${frames} over`,
    );
    console.log(
      `  plain HTML   ${shown(percentilesOf(plain.frameMs))}, most ${most(plain.frameMs)} ms; ${plainSlow} over; ratio at p99 ${rounded(percentile(ours.frameMs, 99) / percentile(plain.frameMs, 99))}`,
    );
    console.log(
      `tab            ${rounded(ours.heapMb, 1)} MB and ${ours.nodes} nodes after all of it, ${rounded(ours.heapMbAtFirst, 1)} MB at first`,
    );
    console.log(
      `  plain HTML   ${rounded(plain.heapMb, 1)} MB and ${plain.nodes} nodes; ratio of nodes ${rounded(ours.nodes / plain.nodes)}`,
    );
    console.log(`device         ${rounded(serverGrewMb, 1)} MB more after all of it`);
    return 0;
  } finally {
    await peer.close();
    await browser.close();
    await home.close();
  }
}
