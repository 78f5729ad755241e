import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { startScan } from "../../../device/folders/scanner/start-scan.ts";
import type { ProjectId } from "../../../events/ids.ts";
import { openTab } from "../../console/browser-page.ts";
import { type ConsoleHome, openConsole } from "../../console/console-home.ts";
import { framesWhileScrolling, heldByTab, keyToEffect, type MeasuredList, paints } from "./measure.ts";
import { escaped, servePlain } from "./peer.ts";
import { frames, reported, settledMs } from "./report.ts";

const list: MeasuredList = { view: ".file-rows", row: ".file-row a", rowPixels: 60 };
const plainList: MeasuredList = { view: ".rows", row: ".row h2", rowPixels: 60 };
const filesAFolder = 500;

const pathOf = (n: number) =>
  `part-${String(Math.floor(n / filesAFolder)).padStart(3, "0")}/file-${String(n).padStart(5, "0")}.md`;
const summaryOf = (n: number) => `What file ${n} is about and for, in a line of some length, as a model says it.`;

/** A folder of so many files, read and summarised. */
async function linkedFolder({ store }: ConsoleHome, root: string, count: number): Promise<ProjectId> {
  for (let n = 0; n < count; n += 1) {
    const file = path.join(root, pathOf(n));
    if (n % filesAFolder === 0) mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `# File ${n}\n\n${"Words of a file. ".repeat(20)}\n`);
  }
  const { id } = store.projects.add("Large");
  store.projects.link(id, root);
  store.localScouts.put(id);
  // A clock ahead of the disk's: nothing on it was changed just now.
  const scan = await startScan({ store, projectId: id, now: () => Date.now() + 60_000 });
  store.transaction(() => {
    for (const { relPath, contentHash, kind } of scan.result.toSummarize) {
      const n = Number(relPath.slice(-8, -3));
      const made = { kind, summary: summaryOf(n), tag: null, promptVersion: "bench" };
      store.folderFiles.setSummary(id, relPath, contentHash, made);
    }
  });
  scan.finish({ status: "completed" });
  return id;
}

/** Requests of a tab to the device, each asked a few times. */
async function answers(home: ConsoleHome, id: ProjectId, count: number): Promise<Record<string, number[]>> {
  const token = await home.token();
  const number = firstFile(home, id);
  const asked = {
    "first page": ["files/page", {}],
    "last page": ["files/page", { from: count - 100 }],
    "page of a kind": ["files/page", { show: "text", from: count - 100 }],
    "find, many": ["files/page", { words: "file" }],
    "find, one": ["files/page", { words: "file-00077" }],
    tree: ["files/tree", {}],
    "tree, ten open": [
      "files/tree",
      { open: Array.from({ length: 10 }, (_, n) => `part-${String(n).padStart(3, "0")}`) },
    ],
    "compare with disk": ["disk", {}],
    preview: [`files/${number}/preview`, {}],
    "as a model": [`files/${number}/model-view`, {}],
  } as const;
  const taken: Record<string, number[]> = {};
  for (let n = 0; n < 8; n += 1) {
    for (const [name, [where, body]] of Object.entries(asked)) {
      const started = performance.now();
      const answer = await home.ask("POST", `/api/projects/${id}/${where}`, { token, body });
      await answer.text();
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      if (n > 0) taken[name] = [...(taken[name] ?? []), performance.now() - started];
    }
  }
  return taken;
}

const firstFile = (home: ConsoleHome, id: ProjectId) =>
  home.store.listedFiles.page(id, { words: [] }, { from: 0, limit: 1 })[0]?.id ?? 0;

async function consoleTab(browser: Browser, home: ConsoleHome, id: ProjectId) {
  const { page, close } = await openTab(browser, home, { path: `/projects/${id}/files` });
  const painted = await paints(page, list);
  const before = await heldByTab(page);
  const frameMs = await framesWhileScrolling(page, frames, list);
  await page.evaluate(`document.querySelector("${list.view}").scrollTo(0, 0)`);
  await page.waitForTimeout(settledMs);
  const after = await heldByTab(page);
  await page.locator(list.row).first().focus();
  const next = await keyToEffect(page, "j", 60);
  await close();
  return { ...painted, frameMs, ...after, heapMbAtFirst: before.heapMb, keys: { j: next } };
}

async function plainTab(browser: Browser, count: number) {
  const row = (n: number) => `<h2><a href="#">${escaped(pathOf(n))}</a></h2><p>text · writing · ${summaryOf(n)}</p>`;
  const peer = await servePlain(
    Array.from({ length: count }, (_, n) => row(n)),
    plainList.rowPixels,
  );
  const page = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
  try {
    await page.goto(peer.url);
    const painted = await paints(page, plainList);
    const frameMs = await framesWhileScrolling(page, frames, plainList);
    return { ...painted, frameMs, ...(await heldByTab(page)) };
  } finally {
    await page.close();
    await peer.close();
  }
}

/** The files of a project in a browser, beside the same list as plain HTML in the same browser. @returns what is printed */
export async function benchFiles(browser: Browser, count: number): Promise<{ lines: string[]; measured: object }> {
  const root = mkdtempSync(path.join(tmpdir(), "scouts-bench-files-"));
  const home = await openConsole({ proposals: [] });
  try {
    const id = await linkedFolder(home, root, count);
    const server = await answers(home, id, count);
    const ours = await consoleTab(browser, home, id);
    const plain = await plainTab(browser, count);
    const lines = [`${count} files of a project`, ...reported(server, ours, plain)];
    return { lines, measured: { files: count, server, ours, plain } };
  } finally {
    await home.close();
    rmSync(root, { recursive: true, force: true });
  }
}
