import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProposalId } from "../../events/ids.ts";
import { hasBrowser } from "../browser.ts";
import { asksBeforeReload, intercept, startBrowser, violationsOn } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { stopNow } from "./focus.ts";
import { startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("many proposals that are chosen together", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** Six hundred of 602, at one of which one stands. */
  async function chosen() {
    const home = await startDrafted(Array.from({ length: 602 }, () => ({})));
    const { page } = await startTab(browser, home);
    await page.getByRole("button", { name: "More: Subject 99" }).press("Enter");
    await page.getByRole("menuitem", { name: "Choose all from this sender" }).press("Enter");
    await page.getByText("600 chosen").waitFor();
    await page.getByRole("link", { name: "Subject 99" }).focus();
    return { home, page };
  }

  it("many are decided a part after the other: it is said how far that is, and whoever stops it is told what was left as it was", async () => {
    const { home, page } = await chosen();
    const asked = { decisions: 0, undoings: 0 };
    const second = Promise.withResolvers<void>();
    await intercept(page, "**/api/{decisions,undoings}", async (route) => {
      const name = route.request().url().endsWith("decisions") ? "decisions" : "undoings";
      asked[name] += 1;
      if (name === "decisions" && asked.decisions === 2) await second.promise;
      await route.continue();
    });
    await page.keyboard.press("a");
    await page.getByText("150 of 600").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    expect(await asksBeforeReload(page)).toBe(true);
    await page.getByRole("button", { name: "Stop", exact: true }).press("Enter");
    second.resolve();
    await page.getByText("Approved: 300 proposals").waitFor();
    await page.getByText("300 were left as they were, as you stopped.").waitFor();
    expect(asked.decisions).toBe(2);
    expect(home.store.proposals.counts()).toMatchObject({ pending: 302, approved: 300 });
    await page.getByText("302 wait").waitFor();
    expect(await asksBeforeReload(page)).toBe(false);
  });

  it("whoever comes to Stop by F6 is led back, and stays there when all is over", async () => {
    const { home, page } = await chosen();
    const second = Promise.withResolvers<void>();
    let asked = 0;
    await intercept(page, "**/api/decisions", async (route) => {
      asked += 1;
      if (asked === 2) await second.promise;
      await route.continue();
    });
    await page.keyboard.press("a");
    await page.getByText("150 of 600").waitFor();
    await page.getByRole("link", { name: "Settings" }).focus();
    await page.keyboard.press("F6");
    expect(await stopNow(page)).toBe("button Stop");
    await page.keyboard.press("Enter");
    await expect.poll(() => stopNow(page)).toBe("link Settings");
    second.resolve();
    await page.getByText("300 were left as they were, as you stopped.").waitFor();
    // No row takes it from there once its page has come.
    await page.locator(".card").first().waitFor();
    expect(await stopNow(page)).toBe("link Settings");
    expect(home.store.proposals.counts()).toMatchObject({ approved: 300 });
  });

  it("many are snoozed a part after the other, until one moment: it is said how far that is, and what was stopped or undone is as it was", async () => {
    const { home, page } = await chosen();
    const asked: unknown[] = [];
    const second = Promise.withResolvers<void>();
    await intercept(page, "**/api/snoozes", async (route) => {
      asked.push(route.request().postDataJSON().until);
      if (asked.length === 2) await second.promise;
      await route.continue();
    });
    await page.keyboard.press("s");
    const until = page.getByRole("textbox", { name: "Until", exact: true });
    // A time that is none is said before anything is put off.
    await until.fill("whenever");
    await until.press("Enter");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    expect(home.store.proposals.counts()).toMatchObject({ pending: 602 });
    asked.length = 0;
    await until.fill("tomorrow");
    await until.press("Enter");
    await page.getByText("150 of 600").waitFor();
    expect(await asksBeforeReload(page)).toBe(true);
    await page.getByRole("button", { name: "Stop", exact: true }).press("Enter");
    second.resolve();
    await page.getByText("300 were left as they were, as you stopped.").waitFor();
    await page.getByText(/^Snoozed until .*: 300 proposals$/).waitFor();
    await page.getByText("302 wait").waitFor();
    expect(asked[0]).toBe("tomorrow");
    const untils = home.store.proposals.list().flatMap(({ snoozedUntil }) => snoozedUntil ?? []);
    expect(untils.length).toBe(300);
    expect(new Set(untils)).toEqual(new Set([asked[1]]));
    await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
    await page.getByText("Shown again: 300 proposals").waitFor();
    await page.getByText("602 wait").waitFor();
    // Those that were left as they were are not asked for.
    expect(asked.slice(2)).toEqual([null, null]);
  });

  it("P2: many that are being decided are taken back with what was decided of them, and nothing that another tab decided", async () => {
    const { home, page } = await chosen();
    let parts = 0;
    const second = Promise.withResolvers<void>();
    await intercept(page, "**/api/decisions", async (route) => {
      parts += 1;
      if (parts === 2) {
        await second.promise;
        // Decided in another tab a moment before.
        const { ids } = route.request().postDataJSON() as { ids: ProposalId[] };
        home.store.proposals.decide(ids[0] as ProposalId, "approved");
      }
      await route.continue();
    });
    await page.keyboard.press("r");
    await page.getByText("150 of 600").waitFor();
    await page.keyboard.press("u");
    second.resolve();
    await expect.poll(() => home.store.proposals.counts()).toMatchObject({ pending: 601, approved: 1, rejected: 0 });
    await page.getByText(/: 299 proposals$/).waitFor();
    expect(parts).toBe(2);
  });
});
