import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { convertProposal } from "../../device/work/decide-into.ts";
import { hasBrowser } from "../browser.ts";
import { intercept, startBrowser, violationsOn } from "./browser-page.ts";
import { type DraftedHome, startDrafted } from "./drafted-home.ts";
import { stopNow } from "./focus.ts";
import { startTab } from "./setting.ts";

const newFrame = () => newFrameId(systemTimeAndIds.newId);

/** Decides what the cloud is told of at once: nothing can be withdrawn any more. */
async function decidedLongAgo(home: DraftedHome, n: number, outcome: "approved" | "rejected", isMade = false) {
  const times = { nowMs: Date.now(), notBefore: 0 };
  if (isMade) convertProposal(home.store, home.idOf(n), "task", { title: `Task ${n}` }, times, newFrame);
  else decideProposal(home.store, home.idOf(n), outcome, newFrame);
  home.device.sendOutbox();
  await expect.poll(() => home.cloud.resolved.get(home.idOf(n))).toBe(outcome);
}

describe.skipIf(!hasBrowser)("what was decided can be decided anew", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("after the tab is loaded anew, as long as the cloud was not told: u takes it back, and the cloud never hears of it", async () => {
    const home = await startDrafted([{}, {}]);
    const { page, complaints } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).focus();
    await page.keyboard.press("a");
    await expect.poll(() => home.store.work.task.list()).toHaveLength(1);
    await page.reload();
    await page.getByText("Approved: Subject 2").waitFor();
    await page.keyboard.press("u");
    await page.getByText("Taken back: Subject 2").waitFor();
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    expect(home.store.work.task.list()).toEqual([]);
    expect([home.store.outbox.counts().waiting, home.cloud.resolved.size]).toEqual([0, 0]);
    expect(complaints).toEqual([]);
  });

  it("when it is too late for u, that is said, with the way to where it can be done", async () => {
    const home = await startDrafted([{}, {}]);
    await decidedLongAgo(home, 2, "rejected");
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 1" }).waitFor();
    await page.keyboard.press("u");
    await page.getByText("Nothing was decided in the last seconds.").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.locator(".undo").getByRole("link", { name: "Rejected" }).press("Enter");
    await page.getByRole("button", { name: "Undo: Subject 2" }).press("Enter");
    await page.getByText("Open again, here and on your other devices: Subject 2").waitFor();
    expect(home.store.proposals.find(home.idOf(2))).toMatchObject({ status: "pending", round: 2 });
    await expect.poll(() => home.cloud.framesOf("scout_proposal_reopen")).toHaveLength(1);
    await page.getByText("Nothing was found").waitFor();
    await expect.poll(() => stopNow(page)).toBeDefined();
  });

  it("from its row: the focus goes on to the next one, and a refusal is said", async () => {
    const home = await startDrafted([{}, {}, {}]);
    for (const n of [1, 2, 3]) await decidedLongAgo(home, n, "approved", true);
    const { page } = await startTab(browser, home, { path: "/inbox?status=approved" });
    await page.getByRole("button", { name: "Undo: Subject 3" }).press("Enter");
    await expect.poll(() => stopNow(page)).toBe("link Subject 2");
    await expect.poll(() => home.store.work.task.list().map(({ title }) => title)).not.toContain("Task 3");
    expect(await violationsOn(page)).toEqual([]);
    await intercept(page, "**/decision", (route) =>
      route.fulfill({ status: 409, json: { error: { code: "x", message: "It rests on another change." } } }),
    );
    await page.getByRole("button", { name: "Undo: Subject 2" }).press("Enter");
    await page.getByText("That did not work: Subject 2").waitFor();
    await page.getByText("It rests on another change.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Undo: Subject 2" }).waitFor();
  });

  it("from its page: undone with what it became, which is named and linked, or decided anew with that kept", async () => {
    const home = await startDrafted([{}, {}]);
    for (const n of [1, 2]) await decidedLongAgo(home, n, "approved", true);
    const { page, complaints } = await startTab(browser, home, { path: `/items/${home.idOf(1)}` });
    await page.getByText("Became a task:").waitFor();
    await page.getByRole("heading", { name: "What it was to become" }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("link", { name: "Task 1" }).press("Enter");
    await page.getByRole("heading", { name: "Task 1", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
    await page.getByText("Open again, here and on your other devices: Subject 1").waitFor();
    await page.getByRole("button", { name: "Approve" }).waitFor();
    expect(home.store.work.task.list()).toMatchObject([{ title: "Task 2" }]);
    await page.goto(`${home.served.origin}/items/${home.idOf(2)}`);
    await page.getByRole("button", { name: "Decide anew, on all devices" }).press("Enter");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    expect(home.store.proposals.find(home.idOf(2))?.status).toBe("pending");
    expect(home.store.work.task.list()).toMatchObject([{ title: "Task 2" }]);
    // What it became is asked for once more where the page hears that it is gone before the item does.
    expect(complaints.filter((each) => !each.includes("404 (Not Found)"))).toEqual([]);
  });

  it("what another device has decided is opened again here; its page and its row say who it was", async () => {
    const home = await startDrafted([{}]);
    home.store.proposals.close(home.idOf(1), { reason: "resolved_elsewhere", round: 1, outcome: "rejected" });
    const { page } = await startTab(browser, home, { path: "/inbox?status=expired" });
    await page.getByText("Another device has rejected it.").waitFor();
    await page.getByRole("link", { name: "Subject 1" }).press("Enter");
    await page.getByText("This is closed. Another device has rejected it.").waitFor();
    await page.getByRole("button", { name: "Decide anew, on all devices" }).press("Enter");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    expect(home.store.proposals.find(home.idOf(1))).toMatchObject({ status: "pending", round: 2 });
  });

  it("several that are undone together: those that could not be are said", async () => {
    const home = await startDrafted([{}, {}]);
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).focus();
    for (const key of ["x", "j", "x", "a"]) await page.keyboard.press(key);
    await page.getByText("Approved: 2 proposals").waitFor();
    await expect.poll(() => home.store.proposals.counts().approved).toBe(2);
    // Another process has taken one back meanwhile.
    home.device.undo(home.idOf(1));
    await page.keyboard.press("u");
    await page.getByText("That did not work: 1 proposal").waitFor();
    await expect.poll(() => home.store.proposals.counts().pending).toBe(2);
  });
});
