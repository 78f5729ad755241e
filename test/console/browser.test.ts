import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { whole } from "../rounds.ts";
import { startBrowser, violationsOn } from "./browser-page.ts";
import { stopNow } from "./focus.ts";
import { startConsole, startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("the console in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  const focused = "document.activeElement.textContent";

  it("is decided with the mouse: approved, undone, rejected, and what arrives meanwhile is there by itself", async () => {
    const setting = await startConsole();
    const { page, complaints, loadedBytes } = await startTab(browser, setting);
    await page.getByRole("button", { name: "Approve: Subject 2" }).click();
    expect(await loadedBytes()).toBeLessThanOrEqual(250_000);
    await page.getByText("Approved: Subject 2").waitFor();
    await expect.poll(() => setting.store.proposals.counts().approved).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    await expect.poll(() => setting.store.proposals.counts().approved).toBe(0);
    await page.getByRole("button", { name: "Reject: Subject 1" }).click();
    await expect.poll(() => setting.store.proposals.counts().rejected).toBe(1);
    await page.getByRole("link", { name: "Subject 1" }).waitFor({ state: "detached" });
    setting.deliver(makeProposal(3));
    await page.getByRole("link", { name: "Subject 3" }).waitFor();
    await page.getByText("2 wait").waitFor();
    expect(page.url()).toBe(`${setting.served.origin}/inbox`);
    expect(complaints).toEqual([]);
  });

  it("is decided with single keys, and the focus goes on to the next one", async () => {
    const setting = await startConsole({ proposals: [1, 2, 3, 4].map((n) => makeProposal(n)) });
    const { page, complaints } = await startTab(browser, setting);
    await page.getByRole("link", { name: "Subject 4" }).waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 4");
    await page.keyboard.press("a");
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 3");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 3");
    await page.keyboard.press("r");
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 2");
    await expect.poll(() => setting.store.proposals.counts()).toMatchObject({ approved: 1, rejected: 1, pending: 2 });
    await page.keyboard.press("u");
    await page.getByRole("link", { name: "Subject 3" }).waitFor();
    await expect.poll(() => setting.store.proposals.counts()).toMatchObject({ approved: 1, rejected: 0, pending: 3 });
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 2");

    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Undo the last decision").waitFor();
    await page.keyboard.press("a");
    await page.getByRole("switch").press(" ");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Subject 2" }).focus();
    await page.keyboard.press("a");
    await page.getByRole("link", { name: "Subject 2" }).press("Enter");
    await page.getByText("The whole text of").waitFor();
    expect(setting.store.proposals.counts()).toMatchObject({ approved: 1, rejected: 0, pending: 3 });
    expect(complaints).toEqual([]);
  });

  it("does not move what somebody looks at when something arrives", async () => {
    const setting = await startConsole({ proposals: Array.from({ length: 60 }, (_, n) => makeProposal(n)) });
    const { page } = await startTab(browser, setting);
    const looked = page.getByRole("link", { name: "Subject 40", exact: true });
    await page.getByRole("link", { name: "Subject 59", exact: true }).waitFor();
    await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, 19 * 136));
    await looked.focus();
    const before = await looked.boundingBox();
    setting.deliver(makeProposal(100), makeProposal(101));
    await page.getByText("62 wait").waitFor();
    expect(await looked.boundingBox()).toEqual(before);
    expect(await page.evaluate(focused)).toBe("Subject 40");
  });

  it("P1: shows an item's whole text, which is nowhere any more when one goes back", async () => {
    const setting = await startConsole({ text: () => "only for this look" });
    const { page, complaints } = await startTab(browser, setting);
    await page.getByRole("link", { name: "Subject 2" }).click();
    await page.getByText("only for this look").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // Where it comes from is shown to whoever asks, as the text it is.
    expect(await page.getByText("<bounce@elsewhere.example>").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Headers" }).click();
    await page.getByText("<bounce@elsewhere.example>").waitFor();
    await page.getByText('"<b>Bank</b>" <ada@example.org>').waitFor();
    await page.getByText("3 more are not shown.").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.goBack();
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(kept).toMatch(/^\[\{\},\{"scouts.token":"[\w-]{43}"\},""\]$/);
    expect(await page.evaluate("caches.keys()")).toEqual([]);
    expect(await page.content()).not.toMatch(/only for this look|elsewhere/);
    expect(setting.cloud.framesOf("scout_item_request")).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it("lists what was dismissed and takes it back", async () => {
    const dismissed = [
      { ref: "m8", subject: "Buy now" },
      { ref: "m9", subject: "<b>Win</b>" },
    ];
    const setting = await startConsole({ dismissed });
    const { page, complaints } = await startTab(browser, setting, { path: "/dismissed" });
    const { page: other } = await startTab(browser, setting, { path: "/dismissed" });
    await other.getByRole("heading", { name: "Buy now" }).waitFor();
    await page.getByRole("heading", { name: "<b>Win</b>" }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("button", { name: "Take back: Buy now" }).press("Enter");
    await page.getByRole("heading", { name: "Buy now" }).waitFor({ state: "detached" });
    await page.getByText("Taken back, and on its way to the inbox: Buy now").waitFor();
    // Another tab of the same console shows what is so now.
    await expect.poll(() => other.getByRole("heading", { name: "Buy now" }).count()).toBe(0);
    expect(setting.restored).toEqual(["m8"]);
    // The next one is where one stands.
    await expect.poll(() => stopNow(page)).toBe("button Take back: <b>Win</b>");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing was dismissed").waitFor();
    await page.getByText("Taken back, and on its way to the inbox: <b>Win</b>").waitFor();
    expect(complaints).toEqual([]);
  });

  it("says of a proposal the date by which it has its place: one that its sender has made up is none", async () => {
    const triagedAt = Date.now() - 3_600_000;
    const metadata = {
      ...({ sender: { name: "Ada", address: "ada@example.org" }, relation: "to", automatic: false } as const),
      ...{ sentAt: triagedAt + 86_400_000, threadRef: "t" },
    };
    const held = [1, 2].map((n) => makeProposal(n, { triagedAt, metadata }));
    const setting = await startConsole({ proposals: [], held });
    const { page } = await startTab(browser, setting);
    const dates = page.locator("article time");
    await expect.poll(() => dates.count()).toBe(2);
    expect(await dates.first().getAttribute("datetime")).toBe(new Date(triagedAt).toISOString());
    const shown = await dates.first().textContent();
    await page.goto(`${setting.served.origin}/items/${makeProposal(1).id}`);
    await page
      .locator(".conversation")
      .getByText(shown ?? "", { exact: true })
      .waitFor();
  });

  it("P1: shows the text of what was dismissed to who asks for it, once, and nothing is kept when it is closed", async () => {
    const setting = await startConsole({
      dismissed: [{ ref: "m8", subject: "Buy now" }],
      text: () => "only for this look",
    });
    const { page, complaints } = await startTab(browser, setting, { path: "/dismissed" });
    const look = page.getByRole("button", { name: "Look at it: Buy now" });
    // Its own date, and not only when it was judged.
    await page.locator(".dismissed-row time").waitFor();
    await look.press("Enter");
    await page.getByText("only for this look").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await look.press("Enter");
    await page.getByText("only for this look").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain("only for this look");
    expect(setting.cloud.framesOf("scout_item_request")).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it("says what is empty, what failed, that mail is being read, and that the device has gone", async () => {
    const mailRead = Promise.withResolvers<void>();
    const setting = await startConsole({ proposals: [], mailRead: mailRead.promise });
    const { page } = await startTab(browser, setting);
    await page.getByText("Nothing waits for you").waitFor();
    await page.getByText("Your mail is being read.").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    mailRead.resolve();
    await page.getByText("Your mail is being read.").waitFor({ state: "detached" });
    await page.goto(`${setting.served.origin}/items/${makeProposal(9).id}`);
    await page.getByText("There is no such proposal on this device.").waitFor();
    await setting.served.close();
    await page.getByText("The device does not answer.").first().waitFor();
  });

  it("P1: gives a tab that was opened without `scouts console`, or whose code was used, nothing but how to", async () => {
    const setting = await startConsole();
    const { page } = await startTab(browser, setting);
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${setting.served.origin}/inbox`);
    await other.getByText("This tab is not signed in").waitFor();
    expect(await other.content()).not.toContain("Subject");
    expect(await violationsOn(other)).toEqual([]);
  });

  it("would be told of a page that breaks a rule, and no script makes markup of a text", async () => {
    const { page, complaints } = await startTab(browser, await startConsole());
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    await expect(page.evaluate("document.body.innerHTML = '<b>x</b>'")).rejects.toThrow(/TrustedHTML/);
    await page.evaluate("document.body.append(document.createElement('img'))");
    expect(await violationsOn(page)).toEqual([expect.stringMatching(/^image-alt: /)]);
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('style'), { textContent: 'b {}' }))",
    );
    await expect.poll(() => complaints.join()).toContain("style-src 'self'");
  });

  const spoken = [
    ["de", "Eingang", 320, true],
    ["es", "Entrada", 1_440, false],
    ["fr", "Réception", 320, true],
    ["it", "In arrivo", 1_440, false],
    ["en", "Inbox", 320, true],
  ] as const;
  it.each(whole ? spoken : spoken.slice(0, 2))(
    "speaks %s, for everybody, narrow and wide, light and dark",
    async (locale, title, width, dark) => {
      const setting = await startConsole();
      const { page, complaints } = await startTab(browser, setting, { locale, width, dark });
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      await page.getByRole("link", { name: "Subject 2" }).waitFor();
      expect(await page.evaluate("document.documentElement.lang")).toBe(locale);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      expect(await violationsOn(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});
