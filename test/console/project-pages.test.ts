import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { rowOf } from "../device/manifest-row.ts";
import { docxWith, pngOf } from "../device/scanner/documents.ts";
import { holdAnswer, startBrowser, violationsOn } from "./browser-page.ts";
import { changedByAgent, startProject } from "./project-home.ts";
import { startTab } from "./setting.ts";

const markup = "<img src=x onerror=document.title='taken'>";
const turned = "\u202Egnp.exe";

/** The browser itself logs an answer that refuses something. */
const unexpected = (line: string) => !/status of 4(03|04|09) /.test(line);
const focused = (page: Page) => page.evaluate("document.activeElement.textContent");

describe.skipIf(!hasBrowser)("the console's pages of projects", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("by the keyboard: from the list of projects to a file, its history, and a version brought back", async () => {
    const project = await startProject({
      "README.md": "one\n",
      "src/main.ts": "start();\n",
      "b.docx": docxWith("Words"),
    });
    const { home, folder, id } = project;
    home.store.projects.add("alone");
    await changedByAgent(project, "README.md", "two\n");
    const { page, complaints } = await startTab(browser, home, { path: "/projects" });
    await page.getByRole("link", { name: "alone", exact: true }).waitFor();
    await page.getByRole("link", { name: "garden: watched. Show the files." }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Files" }).getByRole("link").first().waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => focused(page)).toBe("README.md");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect.poll(() => focused(page)).toBe("src/main.ts");
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await expect.poll(() => focused(page)).toBe("README.md");
    await page.keyboard.press("o");
    await page.getByText("two", { exact: true }).waitFor();
    expect(page.url()).toMatch(/\/files\/\d+$/);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("link", { name: "As a model sees it" }).press("Enter");
    await page.getByText(/"path":"README\.md"/).waitFor();
    await page.getByRole("link", { name: "History" }).press("Enter");
    await page.getByText("-one").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("button", { name: "Bring this version back" }).press("Enter");
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("is kept as a version").waitFor();
    await dialog.getByRole("button", { name: "Bring this version back" }).press("Enter");
    await page.getByText("It is as it was.").waitFor();
    expect(readFileSync(join(folder.root, "README.md"), "utf8")).toBe("one\n");
    await page.getByText("Bring a version back", { exact: true }).waitFor();
    await page.goBack();
    await page.goto(`${home.served.origin}/scouts/folders/${id}`);
    await page.getByRole("link", { name: "README.md" }).waitFor();
    expect(page.url()).toBe(`${home.served.origin}/projects/${id}`);
    expect(complaints.filter(unexpected)).toEqual([]);
  });

  it("P2: brings nothing back over what somebody else wrote while one looked, and shows what that is", async () => {
    const project = await startProject({ "README.md": "one\n" });
    await changedByAgent(project, "README.md", "two\n");
    const path = `/projects/${project.id}/files/${project.numberOf("README.md")}`;
    const { page } = await startTab(browser, project.home, { path });
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("+two").waitFor();
    writeFileSync(join(project.folder.root, "README.md"), "by somebody else\n");
    await page.getByRole("button", { name: "Bring this version back" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Bring this version back" }).click();
    await page.getByText("The file has changed since it was read.").waitFor();
    await page.getByText("+by somebody else").waitFor();
    expect(readFileSync(join(project.folder.root, "README.md"), "utf8")).toBe("by somebody else\n");
  });

  it("P1: shows hostile names, summaries and texts as the text they are, and pictures as their points", async () => {
    const project = await startProject({
      [`${markup}.md`]: `${markup}\n`,
      [`${turned}.md`]: "turned\n",
      "a\nb.md": "two lines\n",
      [`${"w".repeat(252)}.md`]: "long\n",
      "p.png": pngOf(60, 40),
    });
    const { home, id, numberOf } = project;
    home.store.projects.rename(id, "w".repeat(200));
    const row = home.store.folderFiles.find(id, `${markup}.md`);
    const made = {
      kind: "text",
      tag: null,
      promptVersion: null,
      summary: `${markup}\u202E${"W".repeat(400)}`,
    } as const;
    home.store.folderFiles.setSummary(id, `${markup}.md`, row?.contentHash ?? "", made);
    await changedByAgent(project, `${markup}.md`, `${markup}\u202Eturned\n${"x".repeat(300_000)}\n`);
    const { page, complaints } = await startTab(browser, home, { path: `/projects/${id}/files`, width: 320 });
    await page.getByRole("link", { name: `${markup}.md` }).waitFor();
    const names = await page.getByRole("list", { name: "Files" }).getByRole("link").allTextContents();
    expect(names.join()).not.toMatch(/[\u202E\n]/);
    expect(await page.evaluate("document.querySelector('h1').getBoundingClientRect().right")).toBeLessThanOrEqual(320);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    await page.getByRole("link", { name: `${markup}.md` }).click();
    await page
      .getByRole("region", { name: `${markup}.md` })
      .getByText(markup)
      .waitFor();
    await page.getByText("From line 1 of 2").waitFor();
    await page.getByRole("button", { name: "End" }).click();
    await page.getByText("From line 2 of 2").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("region", { name: "Versions" }).getByText("Write a file", { exact: true }).waitFor();
    const difference = page.getByRole("region", { name: "Differences" });
    await difference.getByText(`+${markup}turned`).waitFor();
    expect(await difference.textContent()).not.toContain("\u202E");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.locator("main img, main script, main svg").count()).toBe(0);
    await page.goto(`${home.served.origin}/projects/${id}/files/${numberOf("p.png")}`);
    const picture = page.getByRole("img", { name: "p.png" });
    await picture.waitFor();
    const red = `(() => {
      const { data } = document.querySelector("canvas").getContext("2d").getImageData(30, 20, 1, 1);
      return data[0] > 180 && data[1] < 60;
    })()`;
    await expect.poll(() => page.evaluate(red)).toBe(true);
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.title()).not.toContain("taken");
    expect(complaints).toEqual([]);
  });

  it("holds of 3,000 files those that are seen, narrows and finds them, and opens folders as a tree", async () => {
    const project = await startProject({});
    const { home, id } = project;
    home.store.transaction(() => {
      for (let n = 0; n < 3_000; n += 1) {
        const path = `dir${n % 3}/file-${String(n).padStart(4, "0")}.md`;
        home.store.folderFiles.put(id, rowOf(path, `${n}`, n === 7 ? { kind: "skipped", skipReason: "empty" } : {}));
      }
    });
    const { page, complaints } = await startTab(browser, home, { path: `/projects/${id}/files` });
    const list = page.getByRole("list", { name: "Files" });
    await list.getByRole("link", { name: "dir0/file-0000.md" }).waitFor();
    expect(await list.getByRole("listitem").count()).toBeLessThan(60);
    await page.evaluate("document.querySelector('.file-rows').scrollTo(0, 1e9)");
    await list.getByRole("link", { name: "dir2/file-2999.md" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("dir1 0007");
    await list.getByRole("link", { name: "dir1/file-0007.md" }).waitFor();
    await list.getByText("empty").waitFor();
    expect(await list.getByRole("listitem").count()).toBe(1);
    expect(page.url()).not.toContain("0007");
    await page.getByRole("searchbox").fill("nowhere");
    await page.getByText("No file fits").waitFor();
    await page.getByRole("searchbox").fill("");
    await page.getByRole("switch", { name: "By folder" }).press(" ");
    const first = page.getByRole("button", { name: "dir0" });
    await first.focus();
    await page.keyboard.press("ArrowRight");
    await list.getByRole("link", { name: "file-0000.md" }).waitFor();
    expect(await first.getAttribute("aria-expanded")).toBe("true");
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press("ArrowLeft");
    await list.getByRole("link", { name: "file-0000.md" }).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("brings one back to the file one stood at, also when it was out of sight for a moment", async () => {
    const { home, id } = await startProject({});
    for (let n = 0; n < 200; n += 1) home.store.folderFiles.put(id, rowOf(`${1_000 + n}.md`, `${n}`));
    const { page } = await startTab(browser, home, { path: `/projects/${id}/files` });
    await page.getByRole("link", { name: "1000.md" }).waitFor();
    for (const name of ["1000.md", "1001.md", "1002.md"]) {
      await page.keyboard.press("j");
      await expect.poll(() => focused(page)).toBe(name);
    }
    await page.evaluate("document.querySelector('.file-rows').scrollTo(0, 1e9)");
    await page.getByRole("link", { name: "1199.md" }).waitFor();
    await page.evaluate("document.querySelector('.file-rows').scrollTo(0, 0)");
    await page.getByRole("link", { name: "1199.md" }).waitFor({ state: "detached" });
    await page.reload();
    await expect.poll(() => focused(page)).toBe("1002.md");
  });

  it("tells how old something is as time goes by, on a page that is left open", async () => {
    const { home, id } = await startProject({ "a.md": "one\n" });
    const { page } = await startTab(browser, home, { path: `/projects/${id}/files` });
    await page.clock.install();
    const steps = [
      [`/projects/${id}/files`, /^(this minute|1 minute ago)$/, "3 hours ago"],
      ["/", "3 hours ago", "6 hours ago"],
    ] as const;
    for (const [path, before, after] of steps) {
      await page.goto(`${home.served.origin}${path}`);
      await page.getByText(before).first().waitFor();
      await page.clock.fastForward("03:10:00");
      await page.getByText(after).first().waitFor();
      expect(await page.getByText(before).count()).toBe(0);
    }
  });

  it("P2: an answer that was asked for before the news of a scan does not hide it", async () => {
    const { home, id } = await startProject({ "README.md": "one\n" });
    home.scanning.set(id, { phase: "look", done: 1 });
    const { page } = await startTab(browser, home, { path: `/projects/${id}` });
    await page.getByText("looking at 1 entry").first().waitFor();
    const older = await holdAnswer(page, `/api/projects/${id}`);
    home.scans.emit("end");
    await older.answered;
    const progress = { phase: "summarize", done: 3, total: 9, tokens: 1_234 } as const;
    home.scanning.set(id, progress);
    home.scans.emit("progress", id, progress);
    await page.getByText("summarising 3 of 9").first().waitFor();
    await older.letGo(2);
    await page.getByText("1,234 tokens used").waitFor();
  });

  it("P2: shows a scan as it goes, ends it, and what has become of the folder meanwhile", async () => {
    const project = await startProject({ "README.md": "one\n", "b.md": "b\n" });
    const { home, id, folder } = project;
    home.scanning.set(id, { phase: "look", done: 1 });
    const { page, complaints } = await startTab(browser, home, { path: `/projects/${id}` });
    await page.getByText("looking at 1 entry").first().waitFor();
    // Known before it is told, as of a scan: a page that begins to listen only now asks for it.
    const progress = { phase: "summarize", done: 3, total: 9, tokens: 1_234 } as const;
    home.scanning.set(id, progress);
    home.scans.emit("progress", id, progress);
    await page.getByText("summarising 3 of 9").first().waitFor();
    await page.getByText("1,234 tokens used").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("button", { name: "Stop reading" }).click();
    await page.getByRole("button", { name: "Read now" }).waitFor();
    expect(home.scanning.size).toBe(0);
    home.store.projects.beginScan(id, { holder: "one", pid: 1, until: Number.MAX_SAFE_INTEGER }, () => false);
    home.store.projects.endScan(id, "one", { status: "error", code: "scan_interrupted", sentence: "Interrupted." });
    home.scans.emit("end");
    await page.getByRole("link", { name: "garden: stopped. Show the files." }).waitFor();
    folder.write("README.md", "another\n");
    rmSync(join(folder.root, "b.md"));
    await page.getByRole("link", { name: "Files", exact: true }).click();
    await page.getByText("2 files are not as they were").waitFor();
    await page.getByText("changed since").waitFor();
    await page.getByText("gone", { exact: true }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("link", { name: "b.md" }).click();
    await page.getByText("There is no such file or directory.").waitFor();
    expect(complaints.filter(unexpected)).toEqual([]);
  });

  it("while a folder is read for the first time, says of no place that it has 0 files", async () => {
    const { home, id } = await startProject({});
    home.store.projects.link(id, "/somewhere/else");
    home.store.projects.beginScan(id, { holder: "one", pid: 1, until: Number.MAX_SAFE_INTEGER }, () => false);
    for (const n of [1, 2, 3, 4]) home.store.folderFiles.put(id, rowOf(`${n}.md`, `${n}`));
    home.scanning.set(id, { phase: "summarize", done: 1, total: 4, tokens: 0 });
    const { page } = await startTab(browser, home, { path: `/projects/${id}` });
    await page.getByRole("link", { name: "4", exact: true }).waitFor();
    for (const path of [`/projects/${id}`, "/projects", "/scouts"]) {
      await page.goto(`${home.served.origin}${path}`);
      await page.getByText("/somewhere/else").waitFor();
      expect(await page.getByText("0 files").count(), path).toBe(0);
    }
    home.store.projects.endScan(id, "one", { status: "idle", totalFiles: 4 });
    home.scans.emit("end");
    await page.getByText("4 files").waitFor();
  });

  it("tells what the plan does not cover, ends tasks, unlinks with a word on what goes and stays, and links anew", async () => {
    const project = await startProject({ "README.md": "one\n" });
    const { home, id, folder } = project;
    home.cloud.onRequest = (path, _, response) => {
      if (path !== "/api/v1/billing/quota/check") return "default";
      const plan = {
        tier: "free",
        maxFiles: 200,
        monthlyTokens: 100_000,
        used: 99_000,
        resetsAt: Date.UTC(2026, 11, 1, 12),
      };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(plan));
      return "handled";
    };
    folder.write("late.md", "late\n");
    await folder.scan();
    home.store.folderFiles.setWaiting(id);
    addEntity(
      home.store,
      "task",
      { title: "Water the roses", due: "2026-11-27", priority: "soon", projectId: id },
      1_000,
    );
    const { page, complaints } = await startTab(browser, home, { path: `/projects/${id}` });
    await page.getByText("1 file waits for the month’s tokens.").waitFor();
    await page.getByText("The plan free covers 100,000 tokens a month; 99,000 are used.").waitFor();
    await page.getByText(/The month begins anew on Dec 1, /).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("link", { name: "Tasks", exact: true }).click();
    await page.getByText("due Nov 27, 2026").waitFor();
    await page.getByRole("checkbox", { name: "Water the roses" }).press(" ");
    await expect.poll(() => home.store.work.task.list().map(({ status }) => status)).toEqual(["done"]);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("button", { name: "Unlink" }).click();
    await page.getByRole("alertdialog").getByText("Goes: what is known of 2 files").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("alertdialog").getByRole("button", { name: "Unlink" }).click();
    await page.getByText("No folder is linked").waitFor();
    await page.getByRole("textbox", { name: "Folder" }).fill(folder.root);
    await page.getByRole("button", { name: "Link the folder" }).click();
    await page.getByText("The folder has not been read yet.").first().waitFor();
    expect(home.store.projects.get(id).folderPath).toBe(folder.root);
    expect(complaints.filter(unexpected)).toEqual([]);
  });
});
