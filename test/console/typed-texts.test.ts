import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { asksBeforeReload, holdAnswer, intercept, startBrowser, violationsOn } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("what is typed is not thrown away unasked", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("a draft: closed with Escape, with a click beside it or by going back, it is there again, and a reload asks", async () => {
    const home = await startDrafted([{}, {}]);
    const { page, complaints } = await startTab(browser, home);
    const dialog = page.getByRole("dialog");
    const title = page.getByLabel("Title");
    const reopen = async () => {
      await page.getByRole("button", { name: "Edit" }).press("Enter");
      await dialog.getByText("What you had typed here is there again.").waitFor();
      expect(await title.inputValue()).toBe("Mine");
    };
    await page.getByRole("link", { name: "Subject 1" }).press("Enter");
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    await title.fill("Mine");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Not sent, and kept in this tab until you go on: Subject 1").waitFor();
    await reopen();
    expect(await violationsOn(page)).toEqual([]);
    await page.mouse.click(5, 400);
    await dialog.waitFor({ state: "detached" });
    await reopen();
    await page.goBack();
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    await page.getByRole("link", { name: "Subject 1" }).press("Enter");
    await reopen();
    expect(await asksBeforeReload(page)).toBe(true);
    expect(await title.inputValue()).toBe("Mine");
    await dialog.getByRole("button", { name: "Approve" }).press("Enter");
    // The page forgets it when it has the answer, which the device has given before.
    await dialog.waitFor({ state: "detached" });
    expect(home.store.work.task.list()).toMatchObject([{ title: "Mine" }]);
    expect(await asksBeforeReload(page)).toBe(false);
    expect(complaints).toEqual([]);
  });

  it.each([
    { button: "Save the draft", address: "/draft", method: "PUT", next: "Save the draft" },
    { button: "Approve", address: "/approve", method: "POST", next: "Make something else of it" },
  ])(
    "P2: a draft that is typed into while it is being sent by $button stays open with that, and keys meant for it decide nothing",
    async (sent) => {
      const home = await startDrafted([{}, {}]);
      const { page } = await startTab(browser, home);
      const dialog = page.getByRole("dialog");
      const answer = await holdAnswer(page, sent.address, sent.method);
      await page.getByRole("link", { name: "Subject 2" }).focus();
      await page.keyboard.press("e");
      await page.getByLabel("Title").fill("Mine");
      await dialog.getByRole("button", { name: sent.button }).press("Enter");
      await answer.answered;
      await page.getByLabel("Title").fill("Mine, and more");
      await answer.letGo();
      await dialog.getByRole("button", { name: sent.next, disabled: false }).waitFor();
      await page.keyboard.press("End");
      await page.keyboard.type(" aaa");
      await expect.poll(() => page.getByLabel("Title").inputValue()).toBe("Mine, and more aaa");
      expect(home.store.proposals.counts().pending).toBe(sent.button === "Approve" ? 1 : 2);
      expect(home.store.work.task.list().map(({ title }) => title)).toEqual(sent.button === "Approve" ? ["Mine"] : []);
    },
  );

  it("a draft that its person discards is gone, and nothing is asked", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { path: `/items/${home.idOf(1)}` });
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    await page.getByLabel("Title").fill("Mine");
    await page.getByRole("button", { name: "Discard changes" }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    expect(await page.getByLabel("Title").inputValue()).toBe("Draft 1");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.getByText("Not sent").count()).toBe(0);
    expect(await asksBeforeReload(page)).toBe(false);
  });

  it("a draft whose proposal was approved as it was meanwhile: what was typed can still be made of it", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { path: `/items/${home.idOf(1)}` });
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    await page.getByLabel("Title").fill("Mine");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Approve" }).press("Enter");
    await page.getByText("Nothing waits for you").waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Make something else of it" }).press("Enter");
    expect(await page.getByLabel("Title").inputValue()).toBe("Mine");
    await page.getByRole("dialog").getByRole("button", { name: "Make something else of it" }).press("Enter");
    await expect.poll(() => home.store.work.task.list()).toMatchObject([{ title: "Mine" }]);
  });

  it("a title as long as a task's is kept whole, and a longer one refused at its field, with what was typed", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { path: `/items/${home.idOf(1)}` });
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    const title = page.getByLabel("Title");
    await title.fill("x".repeat(501));
    await page.getByRole("button", { name: "Save the draft" }).press("Enter");
    await page.getByText("A title has 1 to 500 characters.").waitFor();
    expect(await title.inputValue()).toHaveLength(501);
    await expect.poll(() => title.getAttribute("aria-invalid")).toBe("true");
    await title.fill("x".repeat(500));
    await page.getByLabel("Text").fill("y".repeat(4_001));
    await page.getByRole("button", { name: "Save the draft" }).press("Enter");
    await page.getByText("This text is longer than 4000 characters.").waitFor();
    await page.getByLabel("Text").fill("");
    await page.getByRole("button", { name: "Save the draft" }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    expect(await title.inputValue()).toHaveLength(500);
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).press("Enter");
    await expect.poll(() => home.store.work.task.list()).toMatchObject([{ title: "x".repeat(500) }]);
  });

  it("people of an event: each key does what it does, one is taken away again, and a name may hold a comma", async () => {
    const home = await startDrafted([{ people: ["Lovelace, Ada"] }]);
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 1" }).focus();
    await page.keyboard.press("e");
    await page.getByRole("button", { name: /Make of it/ }).click();
    await page.getByRole("option", { name: "An event" }).click();
    await page.getByRole("textbox", { name: "Start", exact: true }).fill("2026-12-01");
    const people = page.getByRole("textbox", { name: "People" });
    await people.press("Control+End");
    await page.keyboard.type("\nBob,");
    for (let n = 0; n < "Bob,".length; n++) await page.keyboard.press("Backspace");
    await page.keyboard.type("Cid");
    expect(await people.inputValue()).toBe("Lovelace, Ada\nCid");
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await page.getByText(/^Approved: /).waitFor();
    expect(home.store.work.event.list()).toMatchObject([{ people: ["Lovelace, Ada", "Cid"] }]);
  });

  it("what a tab that is signed out while one types had in it can still be copied from it", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { path: `/items/${home.idOf(1)}` });
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    await page.getByLabel("Title").fill("Ring Ada");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByLabel("Your question").fill("What did Ada want?");
    const json = { error: { code: "unauthenticated", message: "This tab is not signed in." } };
    await intercept(page, "**/api/ask", (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 401, json }) : route.continue(),
    );
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("heading", { name: "This tab is not signed in" }).waitFor();
    const unsent = page.getByLabel("Not sent, and nowhere but in this tab");
    await expect
      .poll(async () => (await unsent.inputValue()).split("\n\n").sort())
      .toEqual(["Ring Ada", "What did Ada want?"]);
    expect(await violationsOn(page)).toEqual([]);
    expect(await asksBeforeReload(page)).toBe(true);
  });

  it("a question: a reload asks, and another page finds it again with what goes along", async () => {
    const home = await startDrafted([{}]);
    const { page } = await startTab(browser, home, { path: "/ask" });
    await page.getByLabel("Your question").fill("What did Ada want?");
    await page.getByLabel("Attach").fill("garden/plan.md");
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.getByRole("link", { name: "Subject 1" }).waitFor();
    expect(await asksBeforeReload(page)).toBe(true);
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    expect(await page.getByLabel("Your question").inputValue()).toBe("What did Ada want?");
    expect(await page.getByLabel("Attach").inputValue()).toBe("garden/plan.md");
    for (const label of ["Your question", "Attach"]) await page.getByLabel(label).fill("");
    expect(await asksBeforeReload(page)).toBe(false);
  });
});
