import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { temporaryFolder } from "../device/setting.ts";
import { startBrowser, violationsOn } from "./browser-page.ts";
import type { ConsoleHome } from "./console-home.ts";
import { languages, speak } from "./languages.ts";
import { startConsole, startTab } from "./setting.ts";

const markup = `<img src=x onerror="document.title='taken'"> tiles <script>document.title='taken'</script>`;

async function startWithWork(): Promise<ConsoleHome> {
  const home = await startConsole({
    proposals: [],
    held: [makeProposal(1, { rawSubject: "The roof", rawSnippet: "Tiles come on Friday." })],
  });
  addEntity(home.store, "note", { title: markup, markdown: `# Walls\n\n${markup}\n\nThe tiles need primer.` }, 1);
  addEntity(home.store, "task", { title: "Order tiles" }, 1);
  return home;
}

describe("the console's search, as a tab asks for it", () => {
  it("answers tabs that hold a token, within bounds, and says what is no search", async () => {
    const home = await startWithWork();
    const ask = async (words: string, token?: string) => {
      const answer = await home.ask("POST", "/api/search", { ...(token !== undefined && { token }), body: { words } });
      return [answer.status, await answer.json()];
    };
    const token = await home.token();
    expect(await ask("tiles")).toEqual([401, expect.anything()]);
    expect(await ask("tiles", token)).toEqual([200, expect.objectContaining({ hasAll: true, lookedAtWork: 3 })]);
    expect(await ask("x".repeat(1_001), token)).toEqual([400, expect.anything()]);
    expect(await ask("- - -", token)).toEqual([400, expect.anything()]);
    expect(await ask("project:nowhere x", token)).toEqual([expect.any(Number), expect.anything()]);
    expect(home.problems).toEqual([]);
  });

  it("says of a folder that has not been read that nothing of it could be found", async () => {
    const home = await startWithWork();
    const { id } = home.store.projects.add("Garden");
    home.store.projects.link(id, temporaryFolder());
    const answer = await home.ask("POST", "/api/search", { token: await home.token(), body: { words: "tiles" } });
    expect(await answer.json()).toMatchObject({
      files: [],
      notes: [{ code: "not_indexed", values: { project: "Garden" } }],
    });
  });
});

describe.skipIf(!hasBrowser)("the console's search in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("says at its box of words that are too many that they are, cuts none, and of a date that is none how it is written", async () => {
    const home = await startWithWork();
    const { page } = await startTab(browser, home, { path: "/search" });
    const box = page.getByRole("searchbox");
    await box.fill("tiles ".repeat(300));
    await page.getByText("At most 1,000 characters can be searched for; make it shorter.").waitFor();
    expect([await box.getAttribute("aria-invalid"), (await box.inputValue()).length]).toEqual(["true", 1_800]);
    expect(await violationsOn(page)).toEqual([]);
    await box.fill("after:32/13/2026");
    await page.getByText("after:32/13/2026 is not a day of the calendar; give one that exists, such as").waitFor();
    await expect.poll(() => box.getAttribute("aria-invalid")).toBe("false");
    await box.fill("tiles after:2026-13");
    await page.getByText('"after:2026-13" is no date; write it as 2026-03-01.').waitFor();
    await box.fill("tiles after:2026-06 before:2026-03");
    await page.getByText("Nothing is of a time from 2026-06 on and before 2026-03").waitFor();
  });

  it("answers as one types, by kind, with what was looked for marked, and keeps the words nowhere", async () => {
    const home = await startWithWork();
    const { page, complaints } = await startTab(browser, home, { path: "/search" });
    await page.getByText("Everything on this device").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // What the page is for has the focus.
    await page.keyboard.type("tiles");
    await page.getByText("3 found").waitFor();
    expect(await page.getByRole("region").allInnerTexts()).toEqual([
      expect.stringContaining("Proposals"),
      expect.stringContaining("Tasks"),
      expect.stringContaining("Notes"),
    ]);
    expect(new Set(await page.locator("mark").allInnerTexts())).toEqual(new Set(["Tiles", "tiles"]));
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).not.toContain("taken");
    expect(await violationsOn(page)).toEqual([]);
    const kept = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state])",
    );
    expect(kept).not.toContain("tiles");

    await page.getByRole("link", { name: "Inbox" }).focus();
    await page.keyboard.press("/");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("roof Friday");
    await page.getByText("1 found").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("The whole text of").waitFor();
    await page.goBack();
    await page.getByText("1 found").waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("roof Friday");
    await page.getByRole("searchbox").fill("roof zeppelin");
    await page.getByText("these are the nearest").waitFor();
    await page.getByRole("searchbox").fill("zeppelin");
    await page.getByText("Nothing was found").waitFor();
    expect(complaints).toEqual([]);
  });

  it("tells when an event takes place as the brief does: by the clocks here, with its own time, and without an hour where it lasts all day", async () => {
    const home = await startConsole({ proposals: [] });
    const dinner = { start: "2026-11-27T18:00:00", end: "2026-11-27T20:00:00", zone: "Europe/Berlin" };
    addEntity(home.store, "event", { title: "Tiles and dinner", ...dinner }, 1);
    addEntity(
      home.store,
      "event",
      { title: "A fair of tiles", start: "2026-11-27", end: "2026-11-28", isAllDay: true },
      1,
    );
    const { page } = await startTab(browser, home, { path: "/search" });
    await page.getByRole("searchbox").fill("tiles");
    await page.getByText("2 found").waitFor();
    const about = page.getByRole("region", { name: "Events" }).locator(".hit-about");
    expect((await about.allInnerTexts()).toSorted()).toEqual([
      "Fri, Nov 27, 2026",
      "Fri, Nov 27, 2026, 5:00 PM (6:00 PM Europe/Berlin)",
    ]);
  });

  it("goes from hit to hit by keys", async () => {
    const home = await startConsole({ proposals: [], held: [makeProposal(1), makeProposal(2)] });
    const { page } = await startTab(browser, home, { path: "/search" });
    await page.getByRole("searchbox").fill("snippet");
    await page.getByText("2 found").waitFor();
    await page.getByRole("link", { name: "Inbox" }).focus();
    const at = async (key: string) => {
      await page.keyboard.press(key);
      return page.evaluate("document.activeElement.textContent");
    };
    const seen = [await at("j"), await at("j"), await at("j"), await at("k")];
    const [first, second] = seen;
    expect([first, second].toSorted()).toEqual(["Subject 1", "Subject 2"]);
    expect(seen).toEqual([first, second, second, first]);
  });

  it("finds projects and answers, which lead to their pages, and says its notes in the page's language", async () => {
    const home = await startConsole({ proposals: [] });
    const { id } = home.store.projects.add("The garden");
    home.store.projects.link(id, temporaryFolder());
    const hebrew = home.store.projects.add(`\u05d2\u05df ${"w".repeat(180)}`);
    home.store.projects.link(hebrew.id, temporaryFolder());
    const { id: answer } = home.store.answers.add({
      follows: null,
      projectId: null,
      question: "What of the garden?",
      answer: "It is green.",
      files: [],
    });
    const { page } = await startTab(browser, home, { path: "/search", locale: "de" });
    await page.getByRole("searchbox").fill("garden");
    await page.locator("summary", { hasText: "2 Hinweise zu Ordnern" }).click();
    await page.getByText("The garden ist noch nicht im Suchverzeichnis").waitFor();
    expect(await page.locator("[lang=en]").count()).toBe(0);
    // A sentence of the page is read as its language is, whatever name it begins with, and is not cut off by it.
    const drawn =
      "(({ scrollWidth, clientWidth, firstChild }) => [scrollWidth > clientWidth, getComputedStyle(firstChild).direction])";
    const noteOfHebrew =
      "[...document.querySelectorAll('p.notice')].find((each) => each.textContent.startsWith('\\u05d2'))";
    expect(await page.evaluate(`${drawn}(${noteOfHebrew})`)).toEqual([false, "ltr"]);
    const linkOf = (name: string) => page.getByRole("link", { name, exact: true }).getAttribute("href");
    expect(await linkOf("The garden")).toBe(`/projects/${id}`);
    expect(await linkOf("What of the garden?")).toBe(`/ask/${answer}`);
  });

  it("says of several folders that were not searched whole in one line, which opens, so that what was found is in sight", async () => {
    const home = await startWithWork();
    for (const name of ["Garden", "Roof", "Cellar"])
      home.store.projects.link(home.store.projects.add(name).id, temporaryFolder());
    const { page } = await startTab(browser, home, { path: "/search", width: 320 });
    await page.getByRole("searchbox").fill("tiles after:2026-13");
    // What is wrong with the words themselves is said at once.
    await page.getByText('"after:2026-13" is no date').waitFor();
    const folded = page.locator("summary", {
      hasText: "3 notes on folders that were not searched, or not all of them",
    });
    await folded.waitFor();
    expect(await page.getByText("Garden is not in the search index yet").isVisible()).toBe(false);
    await folded.press("Enter");
    for (const name of ["Garden", "Roof", "Cellar"])
      await page.getByText(`${name} is not in the search index yet`).waitFor();
    expect(await violationsOn(page)).toEqual([]);
  });

  it("is without a fault of WCAG 2.2 in every language, at 320 px, with hits", async () => {
    const home = await startWithWork();
    const token = await home.token();
    const { page, complaints } = await startTab(browser, home, { path: "/search", width: 320 });
    await page.getByRole("searchbox").fill("tiles");
    await page.locator("mark").first().waitFor();
    for (const language of languages) {
      await speak(home.served.origin, token, page, language);
      expect(await violationsOn(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    }
    expect(complaints).toEqual([]);
  });
});
