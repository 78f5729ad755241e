import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { whole } from "../rounds.ts";
import { startBrowser } from "./browser-page.ts";
import { languages, wordsIn } from "./languages.ts";
import { merged, startMorning } from "./morning-home.ts";
import { startTab } from "./setting.ts";

/** More than there is on any page. */
const mostTabs = 120;

/** Goes on with Tab until something has the focus, as a person does who has no mouse. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.and(page.locator(":focus-within"));
  for (let pressed = 0; pressed < mostTabs; pressed++) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab leads nowhere near ${target}`);
}

async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

describe.skipIf(!hasBrowser)("14: a morning's work, by keyboard alone", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  // Of a change in one language and in the one with the longest words.
  it.each(whole ? languages : (["en", "de"] as const))(
    "in %s: the brief, ten decisions, a draft made an event, a question, its quotation, a merge, and what was used",
    async (language) => {
      const words = wordsIn(language);
      const { home, folder, proposeMerge } = await startMorning();
      const { store } = home;
      const { page, complaints } = await startTab(browser, home, { path: "/", locale: language });
      const toPage = (name: string) =>
        enter(
          page,
          page
            .getByRole("navigation", { name: words("nav.label") })
            .getByRole("link", { name: words(name), exact: true }),
        );

      // The brief: what waits is decided in place.
      await page.getByRole("heading", { name: words("brief.waiting") }).waitFor();
      await page.keyboard.press("j");
      for (const [at, key] of ["a", "r", "a"].entries()) {
        await page.keyboard.press(key);
        await expect.poll(() => store.proposals.counts().pending).toBe(11 - at);
      }
      expect(store.proposals.counts()).toMatchObject({ approved: 2, rejected: 1 });

      // The inbox: seven more, and of the next a draft is made an event.
      await toPage("nav.inbox");
      await page.locator(".rows article").first().waitFor();
      await page.keyboard.press("j");
      for (const [at, key] of [..."raaraar"].entries()) {
        await page.keyboard.press(key);
        await expect.poll(() => store.proposals.counts().pending).toBe(8 - at);
      }
      expect(store.proposals.counts()).toMatchObject({ approved: 6, rejected: 4 });
      await page.keyboard.press("e");
      const draft = page.getByRole("dialog");
      await enter(page, draft.getByRole("button", { name: words("draft.kind") }));
      const event = page.getByRole("option", { name: words("draft.kinds.event") });
      await event.waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await tabTo(page, draft.getByLabel(words("draft.start"), { exact: true }));
      await page.keyboard.type("2027-03-01T17:00");
      await page.keyboard.press("Enter");
      await draft.waitFor({ state: "detached" });
      expect(store.work.event.list()).toMatchObject([{ start: "2027-03-01T17:00:00" }]);

      // A folder is asked about; the quotation opens at its line.
      await toPage("nav.projects");
      await enter(page, page.getByRole("link", { name: "garden", exact: true }));
      await enter(page, page.locator(".tabs").getByRole("link", { name: words("nav.ask"), exact: true }));
      await tabTo(page, page.getByRole("textbox", { name: words("ask.question") }));
      await page.keyboard.type("What is the path of?");
      await page.keyboard.press("ControlOrMeta+Enter");
      await enter(page, page.getByRole("region", { name: words("ask.quotes") }).getByRole("button"));
      await page.getByRole("dialog").locator("mark").getByText("The path is of gravel").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });

      // A program and a person have changed one line: how both go together is approved here.
      const merging = proposeMerge();
      await toPage("nav.activity");
      await enter(page, page.getByRole("button", { name: words("activity.approveOne", { files: "plan.md" }) }));
      expect((await merging).ok).toBe(true);
      expect(readFileSync(join(folder.root, "plan.md"), "utf8")).toBe(merged);

      await toPage("nav.usage");
      await page.getByRole("heading", { name: words("usage.artifacts") }).waitFor();
      expect(complaints).toEqual([]);
      expect(home.problems).toEqual([]);
    },
  );
});
