import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Browser } from "playwright-core";
import { hasBrowser } from "../../browser.ts";
import { openTab, startBrowser } from "../../console/browser-page.ts";
import { type ConsoleHome, openConsole } from "../../console/console-home.ts";
import { rounded } from "../percentile.ts";
import { proposalsOf, scoutsOf } from "./data.ts";
import { benchFiles } from "./files.ts";
import { framesWhileScrolling, heldByTab, keyToEffect, paints } from "./measure.ts";
import { servePlainList } from "./peer.ts";
import { frames, type MeasuredConsole, type MeasuredTab, reported, settledMs } from "./report.ts";

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

async function consoleTab(browser: Browser, home: ConsoleHome): Promise<MeasuredConsole> {
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
  return { ...painted, frameMs, ...after, heapMbAtFirst: before.heapMb, keys: { j: next, a: decide } };
}

async function plainTab(browser: Browser, url: string): Promise<MeasuredTab> {
  const page = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
  await page.goto(url);
  const painted = await paints(page);
  const frameMs = await framesWhileScrolling(page, frames);
  const held = await heldByTab(page);
  await page.close();
  return { ...painted, frameMs, ...held };
}

/**
 * `npm run bench -- console [--proposals N] [--scouts N] [--files N] [--json]`: the console's inbox, and the files of a project,
 * in a browser, beside the same lists as plain HTML in the same browser. None of a list leaves it out.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      proposals: { type: "string", default: "10000" },
      scouts: { type: "string", default: "500" },
      files: { type: "string", default: "50000" },
      json: { type: "boolean", default: false },
    },
  });
  if (!hasBrowser) {
    console.log("skipped: no browser is installed (the optional packages playwright-core and @sparticuz/chromium)");
    return 0;
  }
  const browser = await startBrowser();
  try {
    const [proposals, scouts, files] = [values.proposals, values.scouts, values.files].map(Number);
    const inbox = proposals ? await benchInbox(browser, proposals, scouts ?? 1) : undefined;
    const listed = files ? await benchFiles(browser, files) : undefined;
    if (values.json) console.log(JSON.stringify({ ...inbox?.measured, ...(listed && { ofProject: listed.measured }) }));
    else for (const line of [...(inbox?.lines ?? []), ...(listed?.lines ?? [])]) console.log(line);
    return 0;
  } finally {
    await browser.close();
  }
}

/** The inbox, beside the same list as plain HTML. @returns what is printed */
async function benchInbox(browser: Browser, proposals: number, scouts: number) {
  const held = proposalsOf(proposals, scouts);
  const home = await openConsole({ proposals: [], held, scouts: scoutsOf(scouts) });
  const peer = await servePlainList(held.toReversed());
  try {
    const heapBefore = collectedHeapMb();
    const server = await answers(home, held.length);
    const ours = await consoleTab(browser, home);
    const serverGrewMb = collectedHeapMb() - heapBefore;
    const plain = await plainTab(browser, peer.url);
    const lines = [
      `${held.length} proposals of ${scouts} scouts`,
      ...reported(server, ours, plain),
      `device         ${rounded(serverGrewMb, 1)} MB more after all of it`,
    ];
    return { lines, measured: { proposals: held.length, server, ours, plain, serverGrewMb } };
  } finally {
    await peer.close();
    await home.close();
  }
}
