import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { startBrowser, violationsOn } from "./browser-page.ts";
import { startDrafted } from "./drafted-home.ts";
import { startConsole, startTab } from "./setting.ts";

const focused = "document.activeElement.textContent";

describe.skipIf(!hasBrowser)("long lists in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("are searched and narrowed; the words are in no address, and one comes back to where one stood", async () => {
    const held = Array.from({ length: 400 }, (_, n) =>
      makeProposal(n, { rawSubject: `${n % 4 === 0 ? "Crêpes" : "Letter"} ${n}` }),
    );
    const home = await startConsole({ proposals: [], held });
    const { page, complaints } = await startTab(browser, home);
    await page.getByText("400 wait").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("crepes");
    await page.getByText("100 found").waitFor();
    expect(await page.getByRole("link", { name: /Letter/ }).count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
    expect(page.url()).toBe(`${home.served.origin}/inbox`);

    await page.getByRole("link", { name: "Crêpes 372" }).focus();
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate(focused)).toBe("Crêpes 368");
    await page.keyboard.press("o");
    await page.getByText("The whole text of").waitFor();
    await page.goBack();
    await page.getByText("100 found").waitFor();
    await expect.poll(() => page.evaluate(focused)).toBe("Crêpes 368");
    expect(await page.getByRole("searchbox").inputValue()).toBe("crepes");
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])");
    expect(kept).not.toContain("crepes");

    await page.keyboard.press("a");
    await expect.poll(() => home.store.proposals.counts().approved).toBe(1);
    await page.getByRole("searchbox").fill("");
    await page.getByText("399 wait").waitFor();
    await page.getByRole("button", { name: /^Status|^Waiting/ }).click();
    await page.getByRole("option", { name: "Approved" }).click();
    await page.getByRole("link", { name: "Crêpes 368" }).waitFor();
    expect(page.url()).toContain("?status=approved");
    expect(await page.getByRole("button", { name: /^Approve: / }).count()).toBe(0);
    await page.getByRole("searchbox").fill("nothing of the kind");
    await page.getByText("Nothing was found").waitFor();
    expect(complaints).toEqual([]);
  });

  it("may be looked at anywhere: what is seen is asked for, and what is not seen is not kept", async () => {
    const held = Array.from({ length: 3_000 }, (_, n) => makeProposal(n));
    const home = await startConsole({ proposals: [], held });
    const { page, complaints } = await startTab(browser, home);
    const asked: number[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/proposals/page")) asked.push(request.postDataJSON().from);
    });
    await page.getByRole("link", { name: "Subject 2999", exact: true }).waitFor();
    const rows = page.locator(".rows");
    await rows.evaluate((view) => view.scrollTo(0, view.scrollHeight));
    await page.getByRole("link", { name: "Subject 0", exact: true }).waitFor();
    await rows.evaluate((view) => view.scrollTo(0, view.scrollHeight / 2));
    await page.getByRole("link", { name: "Subject 1499", exact: true }).waitFor();
    expect(await page.locator(".row").count()).toBeLessThan(40);
    // The first page is asked for again with the device's first word.
    expect(asked.filter((from) => ![0, 1_400, 1_500, 2_900].includes(from))).toEqual([]);
    // The last row, and the first one: keys lead there as well, and the row that is decided is the one that is seen.
    await rows.evaluate((view) => view.scrollTo(0, 0));
    await page.getByRole("link", { name: "Subject 2999", exact: true }).focus();
    for (const next of ["Subject 2998", "Subject 2997", "Subject 2996"]) {
      await page.keyboard.press("a");
      await expect.poll(() => page.evaluate(focused)).toBe(next);
    }
    // A row that is drawn anew loses the focus; it is given to what it stood in, and from there to the row.
    await page.evaluate(`{
      const list = document.activeElement.closest("ul");
      list.tabIndex = -1;
      list.focus();
    }`);
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 2996");
    await expect
      .poll(() => home.store.proposals.list({ statuses: ["approved"] }).map(({ rawSubject }) => rawSubject))
      .toEqual(["Subject 2999", "Subject 2998", "Subject 2997"]);
    await page.getByText("2,997 wait").waitFor();
    expect(complaints).toEqual([]);
  });

  it("are gone on with where they were left, by whoever has decided an item, or has only looked at it", async () => {
    const home = await startDrafted(Array.from({ length: 6 }, () => ({ priority: "now" })));
    const { page } = await startTab(browser, home, { path: "/inbox?by=attention" });
    const first = page.getByRole("article").getByRole("link").first();
    for (const go of [
      () => page.keyboard.press("r"),
      () => page.getByRole("button", { name: "Approve", exact: true }).click(),
      () => page.getByRole("link", { name: "Back to the inbox" }).click(),
    ]) {
      await first.click();
      await page.getByText("The whole text of").waitFor();
      await go();
      await page.getByRole("heading", { name: "Inbox", exact: true }).waitFor();
      expect(page.url()).toBe(`${home.served.origin}/inbox?by=attention`);
    }
    await page.getByRole("link", { name: "Brief", exact: true }).click();
    for (const go of [() => page.keyboard.press("r"), () => page.getByRole("link", { name: "To the brief" }).click()]) {
      await first.click();
      await page.getByText("The whole text of").waitFor();
      await go();
      await page.getByRole("heading", { name: "Brief", exact: true }).waitFor();
    }
    expect(home.store.proposals.counts()).toMatchObject({ pending: 3, approved: 1, rejected: 2 });
  });

  it("are come back to where one was in them, loaded anew too, also by whoever has only scrolled; but no word of a search is kept", async () => {
    const held = Array.from({ length: 400 }, (_, n) => makeProposal(n));
    const home = await startConsole({ proposals: [], held });
    for (let n = 100; n < 300; n++) addEntity(home.store, "task", { title: `Task ${n}` }, 1);
    const { page, complaints } = await startTab(browser, home);
    const seen = (name: string) => page.getByRole("link", { name, exact: true });
    await seen("Subject 399").waitFor();
    await page.locator(".rows").evaluate((view) => view.scrollTo(0, view.scrollHeight / 2));
    await seen("Subject 199").waitFor();
    await page.getByRole("link", { name: "Work", exact: true }).click();
    await page.getByText("200 tasks").waitFor();
    await page.goBack();
    await expect.poll(() => seen("Subject 199").count()).toBe(1);
    await page.reload();
    await page.getByText("400 wait").waitFor();
    await expect.poll(() => seen("Subject 199").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("BODY");
    // Whoever had the focus there has it again.
    await seen("Subject 198").focus();
    await page.reload();
    await expect.poll(() => page.evaluate(focused)).toBe("Subject 198");
    await page.goto(`${home.served.origin}/work/tasks`);
    await page.getByText("200 tasks").waitFor();
    await page.locator(".work-rows").evaluate((view) => view.scrollTo(0, view.scrollHeight / 2));
    const task = page.locator(".work-row a").nth(10);
    const title = (await task.textContent()) ?? "";
    await task.click();
    await page.getByRole("heading", { name: title }).waitFor();
    await page.goBack();
    await expect.poll(() => page.evaluate(focused)).toBe(title);
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    // The tasks, which are left, have a box to search in too.
    await page.getByText("400 wait").waitFor();
    await page.getByRole("searchbox").fill("subject");
    await page.getByText("400 found").waitFor();
    await seen("Subject 390").focus();
    await page.reload();
    await page.getByText("400 wait").waitFor();
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).not.toContain("subject");
    expect(complaints).toEqual([]);
  });

  it("grow by a burst without a request for each that arrives", async () => {
    const home = await startConsole({ proposals: [] });
    const { page } = await startTab(browser, home);
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().includes("/proposals/")) asked += 1;
    });
    await page.getByText("Nothing waits for you").waitFor();
    home.deliver(...Array.from({ length: 500 }, (_, n) => makeProposal(n)));
    await page.getByText("500 wait").waitFor();
    expect(asked).toBeLessThan(100);
  });
});
