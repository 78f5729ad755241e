import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { temporaryFolder } from "../device/setting.ts";
import { askedCloud } from "./asked-cloud.ts";
import { asksBeforeReload, holdAnswer, intercept, startBrowser } from "./browser-page.ts";
import { faultsOfView, untranslatedOn } from "./faults.ts";
import { headingsMissed, stopNow } from "./focus.ts";
import { startConsole, startTab } from "./setting.ts";

const markup = `<img src=x onerror="document.title='taken'">\u202e<script>document.title='taken'</script>`;

/** A home with a folder whose names and words are hostile. */
async function homeWithFolder() {
  const home = await startConsole({ proposals: [], held: [makeProposal(1)] });
  const folder = temporaryFolder();
  mkdirSync(join(folder, "شرح"));
  const filler = Array.from({ length: 60 }, (_, at) => `Line ${at + 1}`).join("\n");
  writeFileSync(join(folder, "شرح/beds.md"), `${filler}\nThe north bed gets tomatoes. ${markup}\n${filler}\n`);
  const { id } = home.store.projects.add(`Garden ${markup}`);
  home.store.projects.link(id, folder);
  return { home, project: id, token: await home.token() };
}

describe.skipIf(!hasBrowser)("14: questions in a browser, by keyboard", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("is asked, answered as it comes, opened at a quotation's line, gone on from, found again and forgotten", async () => {
    const { home, project, token } = await homeWithFolder();
    const read = { project_id: project, path: "شرح/beds.md", startLine: 40, endLine: 70 };
    const answer = `It says "The north bed gets tomatoes" and "that nobody wrote". ${markup}`;
    const cloud = askedCloud(home, [
      { calls: [["read_lines", read]] },
      { says: [answer.slice(0, 20), answer.slice(20)] },
    ]);
    const { page, complaints } = await startTab(browser, home, { path: "/ask" });
    const editor = page.getByRole("textbox", { name: "Your question" });
    await editor.waitFor();
    await page.getByText("Nothing was asked yet.").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("What grows in the north bed?");
    await page.keyboard.press("Enter");
    await page.keyboard.type("And why?");
    await page.keyboard.press("ControlOrMeta+Enter");
    // The answer is a conversation of its own address, and asked about again there.
    await page.getByRole("textbox", { name: "Your next question" }).waitFor();
    expect(page.url()).toMatch(/\/ask\/ans_/);
    expect(cloud.questions()).toMatchObject([{ message: { inline: "What grows in the north bed?\nAnd why?" } }]);
    expect(await page.locator(".ask-answer").textContent()).toContain("<img src=x");
    expect(await page.locator("main img, main script").count()).toBe(0);
    await page.getByText("Words in quotation marks that stand in nothing that was read:").waitFor();
    await page.getByText("120 tokens").waitFor();

    const quote = page.getByRole("region", { name: "Quotations" }).getByRole("button");
    expect(await quote.textContent()).toBe("شرح/beds.md:61");
    await quote.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.locator("mark").waitFor();
    expect(await dialog.locator("mark").textContent()).toContain("The north bed gets tomatoes. <img");
    expect(await dialog.locator(".place-it .place-number").textContent()).toBe("61");
    expect(await faultsOfView({ page, origin: home.served.origin, token }, "a place")).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "1 Schritt" }).press("Enter");
    await page.getByRole("listitem").getByText("las شرح").waitFor();
    expect(await faultsOfView({ page, origin: home.served.origin, token }, "a conversation")).toEqual([]);
    expect(await untranslatedOn({ page, origin: home.served.origin, token }, "a conversation")).toEqual([]);
    cloud.script([{ says: ["In May."] }]);
    await page.getByRole("textbox", { name: "Ihre nächste Frage" }).focus();
    await page.keyboard.type("When?");
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.getByText("In May.").waitFor();
    expect(await headingsMissed(page)).toEqual([]);
    expect(cloud.questions().at(-1)?.earlier).toBeDefined();

    // Another tab finds it, and forgets it; this one hears of that.
    const other = await startTab(browser, home, { path: "/ask" });
    await other.page.getByRole("button", { name: /What grows/ }).click();
    await other.page.getByText("In May.").waitFor();
    await other.page.getByRole("button", { name: "Vergessen" }).click();
    await other.page.getByRole("alertdialog").getByRole("button", { name: "Vergessen" }).click();
    await other.page.getByText("Noch wurde nichts gefragt.").waitFor();
    await page.getByText("Noch wurde nichts gefragt.").waitFor();
    expect(home.store.answers.list()).toEqual([]);
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])");
    expect(kept).not.toContain("bed");
    await page.getByRole("alert").getByText("Diese Antwort gibt es auf diesem Gerät nicht").waitFor();
    // That it is gone is an answer of the device's as well.
    expect([...complaints, ...other.complaints].filter((each) => !each.includes("404"))).toEqual([]);
    expect(home.problems).toEqual([]);
  });

  it("names files of several projects with theirs", async () => {
    const { home } = await homeWithFolder();
    const of = ["House", "Boat"].map((name) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "pump.md"), `The pump of the ${name} is blue.\n`);
      const { id } = home.store.projects.add(name);
      home.store.projects.link(id, folder);
      return { project_id: id, path: "pump.md", startLine: 1, endLine: 1 };
    });
    const says = ['It says "The pump of the House is blue" and "The pump of the Boat is blue".'];
    askedCloud(home, [{ calls: of.map((read) => ["read_lines", read] as const) }, { says }]);
    const { page } = await startTab(browser, home, { path: "/ask" });
    await page.getByRole("textbox", { name: "Your question" }).fill("What colour?");
    await page.keyboard.press("ControlOrMeta+Enter");
    const quotes = page.getByRole("region", { name: "Quotations" }).getByRole("button");
    await expect.poll(() => quotes.allTextContents()).toEqual(["House/pump.md:1", "Boat/pump.md:1"]);
  });

  it("is cancelled, goes on while another page is looked at, and says why it cannot be answered", async () => {
    const { home } = await homeWithFolder();
    const cloud = askedCloud(home, [{ says: ["It begins", undefined] }]);
    const { page } = await startTab(browser, home, { path: "/ask" });
    const editor = page.getByRole("textbox", { name: "Your question" });
    await editor.fill("What?");
    await editor.press("Control+Enter");
    await page.getByText("It begins").waitFor();
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.getByRole("link", { name: "Subject 1" }).waitFor();
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByText("It begins").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled. What had come is not kept.").waitFor();
    await expect.poll(() => cloud.cancelled()).toBe(1);
    await page.getByRole("button", { name: "Write it again" }).click();
    expect(await editor.inputValue()).toBe("What?");
    cloud.script([{ ends: { status: "quota_exceeded", code: "quota_exceeded" } }]);
    await editor.press("Control+Enter");
    await page.getByText("The month's tokens for questions are used up.").first().waitFor();
    await page.getByRole("button", { name: "Write it again" }).click();
    await editor.fill("@Nowhere what?");
    await editor.press("Control+Enter");
    await page.getByText('There is no project "Nowhere" on this device.').waitFor();
  });

  it("says in words of the person's language what came to nothing, and what was not attached", async () => {
    const { home, project } = await homeWithFolder();
    const read = (path: string) => ["read_lines", { project_id: project, path, startLine: 1, endLine: 4 }] as const;
    askedCloud(home, [{ calls: [read("gone.md"), read("../secret")] }, { says: ["Done."] }]);
    const { page } = await startTab(browser, home, { path: `/projects/${project}/ask`, locale: "de" });
    await page.getByLabel("Ihre Frage").fill("Was?");
    await page.getByLabel("Anhängen").fill("شرح/beds.md\n.env");
    await page.getByRole("button", { name: "Fragen", exact: true }).click();
    await page.getByText("Nicht angehängt: .env").waitFor();
    await page.getByRole("button", { name: "2 Schritte" }).click();
    await page.getByText("ergab nichts: die Datei gibt es nicht").waitFor();
    await page.getByText("ergab nichts: das darf nach Ihren Regeln kein Agent sehen").waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/[a-z]_[a-z]/);
  });

  it("says when nothing new comes, and when the device is silent, and can be cancelled all the same", async () => {
    const { home } = await homeWithFolder();
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Ask", exact: true }).waitFor();
    await page.clock.install();
    // A stream that nobody writes to and nobody ends.
    await intercept(page, "**/api/ask", (route) =>
      route.request().method() === "POST" ? undefined : route.continue(),
    );
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    const editor = page.getByRole("textbox", { name: "Your question" });
    await editor.fill("What?");
    await editor.press("Control+Enter");
    await page.getByText("The question is on its way…").waitFor();
    await page.clock.fastForward(21_000);
    await page.getByText("Nothing new has come for a while.").waitFor();
    await page.clock.fastForward(20_000);
    await page.getByText("The device says nothing any more.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByText("Cancelled. What had come is not kept.").waitFor();
  });

  it("leads whoever cancels it, writes it again, or stands at Cancel when the answer is there, to where a question is typed", async () => {
    const { home } = await homeWithFolder();
    const cloud = askedCloud(home, [{ says: ["It begins", undefined] }]);
    const { page } = await startTab(browser, home, { path: "/ask" });
    const editor = page.getByRole("textbox", { name: "Your question" });
    await editor.fill("What?");
    await editor.press("Control+Enter");
    await page.getByText("It begins").waitFor();
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByText("Cancelled. What had come is not kept.").waitFor();
    await expect.poll(() => stopNow(page)).toBe("textbox Your question");
    await page.getByRole("button", { name: "Write it again" }).press("Enter");
    await expect.poll(() => stopNow(page)).toBe("textbox Your question");
    expect(await editor.inputValue()).toBe("What?");

    cloud.script([{ says: ["It stands", " in the shed."] }]);
    const answer = await holdAnswer(page, "/api/ask", "POST");
    await editor.press("Control+Enter");
    await answer.answered;
    await page.getByRole("button", { name: "Cancel" }).focus();
    await answer.letGo();
    await page.getByText("It stands in the shed.").waitFor();
    await expect.poll(() => stopNow(page)).toBe("textbox Your next question");
  });

  it("lets its person type on while the first answer comes and is opened", async () => {
    const { home } = await homeWithFolder();
    askedCloud(home, [{ says: ["It stands", " in the shed."] }]);
    const { page } = await startTab(browser, home, { path: "/ask" });
    const editor = page.getByRole("textbox", { name: "Your question" });
    await editor.fill("Where is the pump?");
    const answer = await holdAnswer(page, "/api/ask", "POST");
    await editor.press("Control+Enter");
    await answer.answered;
    await page.keyboard.type("And the");
    await answer.letGo();
    await page.getByText("It stands in the shed.").waitFor();
    await page.waitForURL(/\/ask\/ans_/);
    await page.getByRole("textbox", { name: "Your next question" }).waitFor();
    await page.keyboard.type(" roses?");
    expect(await page.getByRole("textbox", { name: "Your next question" }).inputValue()).toBe("And the roses?");
  });

  it("is not lost by a reload while it is answered: the browser asks first", async () => {
    const { home } = await homeWithFolder();
    const cloud = askedCloud(home, [{ says: ["The north", undefined] }]);
    const { page } = await startTab(browser, home, { path: "/ask" });
    await page.getByRole("textbox", { name: "Your question" }).fill("What grows in the north bed?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".ask-answer").getByText("The north").waitFor();
    expect(await asksBeforeReload(page)).toBe(true);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Write it again" }).waitFor();
    await expect.poll(() => cloud.cancelled()).toBe(1);
    expect(await asksBeforeReload(page)).toBe(false);
  });
});
