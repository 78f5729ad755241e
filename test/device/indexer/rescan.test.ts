import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { countTokens } from "../../../device/access/reading/token-count.ts";
import type { PlanFit } from "../../../device/folders/indexer/fit-plan.ts";
import type { OpenPreparer } from "../../../device/folders/indexer/prepare.ts";
import { estimateTokens, overheadTokens } from "../../../device/folders/scanner/estimate-tokens.ts";
import { filesToSummarize } from "../../../device/folders/scanner/scan-project.ts";
import { folderSetting, numbered } from "./setting.ts";

test("a linked folder is read and summarised; the manifest, the run and the project say so", async () => {
  const { cloud, store, projectId, link, summaries } = await folderSetting({
    "readme.md": "About all this.",
    "src/main.ts": "export const answer = 42;",
    "photo.bin": "not read",
  });
  const linking = await link();

  expect(linking).toMatchObject({
    status: "completed",
    isLinked: true,
    counts: { summarized: 2, failed: 0, tokensUsed: 20 },
  });
  expect(summaries()).toEqual({ "readme.md": "About readme.md", "src/main.ts": "About src/main.ts" });
  expect(store.projects.get(projectId)).toMatchObject({ folderLastScanStatus: "idle", folderTotalFiles: 2 });
  const [run] = store.scoutRuns.list(projectId);
  expect(run).toMatchObject({ cause: "link", status: "completed", newFiles: 2, summarizedFiles: 2, tokensUsed: 20 });
  const actions = run === undefined ? [] : store.scoutRuns.actions(run.id);
  expect(actions.filter(({ action }) => action === "summarized")).toHaveLength(2);
  expect(cloud.quotaChecks).toEqual([{ files: 2, tokens: expect.any(Number) }]);
  expect(cloud.framesOf("index_session_finish")).toHaveLength(1);
  expect(cloud.framesOf("bye")).toEqual([]);
  expect(store.localScouts.find(projectId)).toMatchObject({ isEnabled: true });
});

test("the second scan sends nothing, a changed file is sent alone, a renamed one not at all, a deleted one is forgotten", async () => {
  const { cloud, root, write, link, rescan, summaries } = await folderSetting(numbered(7));
  await link();
  const before = cloud.sent.length;

  expect(await rescan()).toMatchObject({ status: "completed", counts: { summarized: 0 } });
  expect([cloud.sent.length, cloud.framesOf("index_session_start").length]).toEqual([before, 1]);

  write("003.md", "Something else entirely.");
  await rescan();
  expect(cloud.sent.slice(before)).toEqual(["003.md"]);

  renameSync(path.join(root, "004.md"), path.join(root, "moved.md"));
  rmSync(path.join(root, "005.md"));
  const last = await rescan();
  expect(last.result).toMatchObject({ renamedFiles: [{ from: "004.md", to: "moved.md" }], deletedFiles: ["005.md"] });
  expect(cloud.sent.slice(before + 1)).toEqual([]);
  expect(summaries()).toMatchObject({ "moved.md": "About 004.md" });
  expect(Object.keys(summaries())).not.toContain("005.md");
});

test("files go in batches of five, every one once", async () => {
  const { cloud, link } = await folderSetting(numbered(103));
  await link();
  const sizes = cloud.framesOf("index_file_batch").map(({ files }) => files.length);
  expect(Math.max(...sizes)).toBe(5);
  expect(cloud.sent.toSorted()).toEqual(Object.keys(numbered(103)));
  expect(cloud.framesOf("index_session_start")).toMatchObject([{ totalFiles: 103 }]);
});

test("no more than forty files are open at once", async () => {
  const { cloud, link } = await folderSetting(numbered(60));
  cloud.fateOf = () => "silence";
  const linking = link();
  await cloud.until(() => cloud.sent.length === 40);
  const [connection] = cloud.connections;
  const batches = cloud.framesOf("index_file_batch");
  cloud.fateOf = () => "summary";
  for (const { sessionId, files } of batches) {
    for (const file of files) if (connection) cloud.answer(sessionId, file, connection);
  }
  expect(await linking).toMatchObject({ status: "completed", counts: { summarized: 60 } });
});

test("a file whose model call failed is an error, and the next scan tries it again", async () => {
  const { cloud, store, projectId, link, rescan, summaries } = await folderSetting(numbered(3));
  cloud.fateOf = ({ relPath }) => (relPath === "001.md" ? { error: "model_unavailable" } : "summary");
  const linking = await link();
  expect(linking).toMatchObject({ status: "completed", counts: { summarized: 2, failed: 1 } });
  expect(store.folderFiles.find(projectId, "001.md")).toMatchObject({ kind: "error", skipReason: "model_unavailable" });

  cloud.fateOf = () => "summary";
  await rescan();
  expect(cloud.sent.slice(3)).toEqual(["001.md"]);
  expect(summaries()["001.md"]).toBe("About 001.md");
  expect(store.folderFiles.find(projectId, "001.md")).toMatchObject({ kind: "text", skipReason: null });
});

test("a file nothing can be read of is skipped and not sent", async () => {
  const { cloud, store, projectId, link } = await folderSetting({ "scan.md": "%empty", "text.md": "Words." });
  const linking = await link();
  expect(linking).toMatchObject({ status: "completed", counts: { summarized: 1, unreadable: 1 } });
  expect(linking.result.skipped.byReason).toEqual({ no_text: 1 });
  expect(cloud.sent).toEqual(["text.md"]);
  const row = store.folderFiles.find(projectId, "scan.md");
  expect(row).toMatchObject({ kind: "skipped", skipReason: "no_text", summary: "Could not extract text" });
});

test("files with the same content cost one summary", async () => {
  const { cloud, link, summaries } = await folderSetting({ "a.md": "The same.", "b.md": "The same." });
  expect(await link()).toMatchObject({ counts: { summarized: 2, tokensUsed: 10 } });
  expect(cloud.sent).toEqual(["a.md"]);
  expect(summaries()).toEqual({ "a.md": "About a.md", "b.md": "About a.md" });
});

test("402 while linking leaves the project unlinked and says tier, limit and reset date", async () => {
  const { cloud, store, projectId, link } = await folderSetting(numbered(2));
  const data = { tier: "free", limit: 100_000, used: 99_990, resetsAt: Date.UTC(2026, 11, 1) };
  cloud.quotaRefusal = { code: "folder_monthly_tokens", data };

  const linking = await link();

  expect(linking).toMatchObject({ status: "quota_exceeded", isLinked: false });
  expect(linking.reason?.sentence).toMatch(/plan free covers 100,000 tokens a month \(99,990 .*2026-12-01/);
  expect(store.projects.get(projectId)).toMatchObject({ folderPath: null, folderTotalFiles: 0 });
  expect([store.folderFiles.list(projectId), store.localScouts.find(projectId)]).toEqual([[], undefined]);
  expect(cloud.framesOf("index_session_start")).toEqual([]);
});

test("a project that has another folder is told which one was replaced; the same one again replaces nothing", async () => {
  const { link, root, projectId, store } = await folderSetting(numbered(1));
  expect((await link()).replaced).toBeUndefined();
  expect((await link()).replaced).toBeUndefined();
  const other = path.join(path.dirname(root), "other");
  mkdirSync(other);
  expect(await link({ folderPath: other })).toMatchObject({ isLinked: true, replaced: root });
  expect(store.projects.get(projectId).folderPath).toBe(other);
});

test("402 of a rescan keeps folder and manifest; the project shows the reason until a scan goes through", async () => {
  const { cloud, store, projectId, write, link, rescan } = await folderSetting(numbered(2));
  await link();
  write("new.md", "News.");
  cloud.quotaRefusal = { code: "folder_max_files", data: { tier: "free", limit: 2, used: 3, resetsAt: null } };
  expect(await rescan()).toMatchObject({ status: "quota_exceeded" });
  expect(store.projects.get(projectId)).toMatchObject({
    folderLastScanStatus: "error",
    folderErrorCode: "folder_max_files",
    folderErrorSentence: expect.stringContaining("2 files a folder"),
  });
  expect(store.folderFiles.list(projectId)).toHaveLength(3);

  cloud.quotaRefusal = undefined;
  expect(await rescan()).toMatchObject({ status: "completed", counts: { summarized: 1 } });
  expect(store.projects.get(projectId)).toMatchObject({ folderLastScanStatus: "idle", folderErrorCode: null });
});

test("the month's tokens run out in the middle: what is there stays, the rest waits, nothing counts as failed", async () => {
  const { cloud, store, projectId, link, rescan } = await folderSetting(numbered(30));
  let granted = 12;
  cloud.fateOf = () => (granted-- > 0 ? "summary" : { error: "quota_exceeded" });
  const linking = await link();

  expect(linking).toMatchObject({ status: "quota_exceeded", counts: { summarized: 12, failed: 0, tokensUsed: 120 } });
  expect(linking.isLinked).toBe(true);
  expect(store.projects.get(projectId)).toMatchObject({
    folderLastScanStatus: "error",
    folderErrorCode: "quota_exceeded",
    folderErrorSentence: expect.stringContaining("2026-12-01"),
  });
  expect(store.scoutRuns.list(projectId)[0]).toMatchObject({ status: "quota_exceeded", summarizedFiles: 12 });
  expect(filesToSummarize(store, projectId)).toHaveLength(18);

  cloud.fateOf = () => "summary";
  const asked = cloud.sent.length;
  expect(await rescan()).toMatchObject({ status: "completed", counts: { summarized: 18 } });
  expect(cloud.sent.length - asked).toBe(18);
});

test("a project that is being scanned refuses a second scan", async () => {
  const { cloud, link, rescan } = await folderSetting(numbered(1));
  cloud.fateOf = () => "silence";
  const abort = new AbortController();
  const first = link({ signal: abort.signal });
  await cloud.until(() => cloud.sent.length === 1);
  await expect(rescan()).rejects.toMatchObject({ code: "scan_running" });
  abort.abort();
  expect(await first).toMatchObject({ status: "cancelled" });
});

test("a folder that is gone is an error that keeps the manifest; linked where it is now, it costs nothing", async () => {
  const { cloud, root, store, projectId, link, rescan, summaries } = await folderSetting(numbered(4));
  await link();
  renameSync(root, `${root}-moved`);
  await expect(rescan()).rejects.toMatchObject({
    code: "folder_not_found",
    message: `Folder not found: ${root}. Check how it is written, and that it is there.`,
  });
  expect(store.projects.get(projectId)).toMatchObject({ folderLastScanStatus: "error", folderPath: root });
  const kept = summaries();
  expect(Object.keys(kept)).toHaveLength(4);

  expect(await link({ folderPath: `${root}-moved` })).toMatchObject({ status: "completed", isLinked: true });
  expect(summaries()).toEqual(kept);
  expect(cloud.sent).toHaveLength(4);
});

test("a folder that is not there cannot be linked, and changes nothing", async () => {
  const { root, store, projectId, link } = await folderSetting({});
  rmSync(root, { recursive: true });
  await expect(link()).rejects.toMatchObject({ code: "folder_not_found" });
  expect(store.projects.get(projectId).folderPath).toBeNull();
});

test("P1: what the person's own rules withhold from language models is not sent, and forgotten when they begin to", async () => {
  const { cloud, store, link, rescan, summaries } = await folderSetting({
    "notes.md": "Notes.",
    "contracts/a.md": "Secret.",
    "diary.md": "Dear diary.",
  });
  const rulesFile = path.join(store.dataFolder, "device", "config.json");
  writeFileSync(rulesFile, JSON.stringify({ read: { deny: ["contracts/"], ask: ["*.nobody"] } }));
  await link();
  expect(cloud.sent).toEqual(["diary.md", "notes.md"]);

  writeFileSync(rulesFile, JSON.stringify({ read: { deny: ["contracts/"], ask: ["diary.md"] } }));
  expect((await rescan()).result.skipped.byReason).toEqual({ denied: 2 });
  expect(Object.keys(summaries())).toEqual(["notes.md"]);

  writeFileSync(rulesFile, "not rules");
  await expect(rescan()).rejects.toMatchObject({
    code: "config_unreadable",
    message: expect.stringContaining("cannot be understood"),
  });
  expect(cloud.sent).toHaveLength(2);
});

test("4.2: more than the month's tokens: it says what fits, the newest come first, the rest waits and is taken up", async () => {
  const names = Object.keys(numbered(10));
  const { cloud, root, store, projectId, link, rescan } = await folderSetting(numbered(10));
  for (const [n, name] of names.entries())
    utimesSync(path.join(root, name), 1_000_000 + n * 1_000, 1_000_000 + n * 1_000);
  const tokensOfEach = 941;
  cloud.used = 100_000 - 4 * tokensOfEach;
  let granted = 4;
  cloud.fateOf = () => (granted-- > 0 ? "summary" : { error: "quota_exceeded" });
  const fits: PlanFit[] = [];
  const read: string[] = [];
  const openPreparer: OpenPreparer = (files) => ({
    async prepare({ relPath, kind, sizeBytes, mtimeMs, contentHash }) {
      read.push(relPath);
      const content = new TextDecoder().decode(await files.read(relPath));
      const file = { relPath, kind, sizeBytes, mtimeMs, contentHash, content };
      return { outcome: "ready", file, tokens: tokensOfEach };
    },
    close: async () => {},
  });
  const linking = await link({ openPreparer, onFit: (fit) => void fits.push(fit) });

  expect(fits).toMatchObject([{ files: 10, fits: 4, tokensLeft: 4 * tokensOfEach, resetsAt: Date.UTC(2026, 11, 1) }]);
  expect(linking).toMatchObject({ status: "quota_exceeded", isLinked: true, counts: { summarized: 4, failed: 0 } });
  expect(linking.reason?.sentence).toMatch(/2026-12-01.*6 files wait: taken up by itself/);
  expect(cloud.sent.slice(0, 4)).toEqual(["009.md", "008.md", "007.md", "006.md"]);
  expect(new Set(read).size).toBe(read.length);
  const waiting = store.folderFiles.list(projectId).filter(({ skipReason }) => skipReason === "quota_exceeded");
  expect(waiting.map(({ relativePath, kind }) => `${relativePath} ${kind}`)).toEqual(
    names.slice(0, 6).map((name) => `${name} text`),
  );
  expect(store.localScouts.waitingForTokens()).toEqual([projectId]);

  cloud.used = 0;
  cloud.fateOf = () => "summary";
  expect(await rescan()).toMatchObject({ status: "completed", counts: { summarized: 6 } });
  expect(store.folderFiles.list(projectId).filter(({ skipReason }) => skipReason !== null)).toEqual([]);
  expect(store.localScouts.waitingForTokens()).toEqual([]);
});

test("4.2: short texts, which nobody counts otherwise, are counted where the month's tokens are few", async () => {
  const texts = ["a".repeat(900), "some words about it ".repeat(45)];
  const { cloud, link } = await folderSetting({ "a.md": texts[0] ?? "", "b.md": texts[1] ?? "" });
  const counted = (await Promise.all(texts.map(countTokens))).reduce((sum, tokens) => sum + tokens + overheadTokens, 0);
  expect(counted).toBeLessThan(2 * estimateTokens("text", 900));
  cloud.used = 100_000 - counted;
  const fits: PlanFit[] = [];
  await link({ onFit: (fit) => void fits.push(fit) });
  expect([fits, cloud.sent.length]).toEqual([[], 2]);
});

test("4.2: what fits by a guess from the sizes is sent as it comes, without reading anything twice", async () => {
  const { cloud, link } = await folderSetting(numbered(10));
  const fits: PlanFit[] = [];
  await link({ onFit: (fit) => void fits.push(fit) });
  expect([fits, cloud.sent]).toEqual([[], Object.keys(numbered(10))]);
});
