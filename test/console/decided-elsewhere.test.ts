import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { hasBrowser } from "../browser.ts";
import { intercept, startBrowser, violationsOn } from "./browser-page.ts";
import { type DraftedHome, startDrafted } from "./drafted-home.ts";
import { startTab } from "./setting.ts";

/** As another process does, the command line say. */
function rejectByCommand({ store, idOf }: DraftedHome, n: number): void {
  const other = openDeviceStore({ ...systemTimeAndIds, dataFolder: store.dataFolder, now: Date.now });
  decideProposal(other, idOf(n), "rejected", () => newFrameId(systemTimeAndIds.newId));
  other.close();
}

/** A machine with much else to do takes longer than what was decided can be taken back for. */
async function keepsWayBack(route: Route): Promise<void> {
  const response = await route.fetch();
  const json = { ...(await response.json()), undoableMs: 3_600_000 };
  await route.fulfill({ response, json });
}

describe.skipIf(!hasBrowser)("what somebody else decides meanwhile", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("is chosen no more: another tab's, and the command line's", async () => {
    const home = await startDrafted([{}, {}, {}, {}]);
    const [first, second] = [await startTab(browser, home), await startTab(browser, home)];
    const { page } = first;
    for (const n of [1, 2, 3, 4]) await page.getByRole("checkbox", { name: `Choose: Subject ${n}` }).check();
    await page.getByText("4 chosen").waitFor();
    await second.page.getByRole("button", { name: "Reject: Subject 2" }).click();
    await page.getByText("3 chosen").waitFor();
    rejectByCommand(home, 3);
    await page.getByText("2 chosen").waitFor();
    // Whoever goes on choosing does not choose it again.
    await page.getByRole("checkbox", { name: "Choose: Subject 1" }).uncheck();
    await page.getByText("1 chosen").waitFor();
    await page.getByRole("checkbox", { name: "Choose: Subject 1" }).check();
    await page.getByText("2 chosen").waitFor();
    await page.getByRole("region", { name: "Chosen together" }).getByRole("button", { name: "Approve" }).click();
    await page.getByText("Approved: 2 proposals").waitFor();
    expect(home.store.proposals.counts()).toMatchObject({ pending: 0, approved: 2, rejected: 2 });
  });

  it("is in the tab's memory where it is looked at alone: of a thousand that are decided none is gone through for the others", async () => {
    const home = await startDrafted([{}, {}]);
    const { page } = await startTab(browser, home);
    await page.getByText("2 wait").waitFor();
    const path = `/api/proposals/${home.idOf(1)}/decision`;
    await home.ask("PUT", path, { token: await home.token(), body: { outcome: "rejected" } });
    await page.getByText("1 waits").waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("button", { name: /Status$/ }).click();
    await page.getByRole("option", { name: "Rejected" }).click();
    await page.getByRole("link", { name: "Subject 1" }).click();
    await page.getByText("You have rejected this.").waitFor();
    expect(asked).toContain(`/api/proposals/${home.idOf(1)}`);
  });

  it("P2: a failure leaves the way back from what was decided where it is, and both are said", async () => {
    const home = await startDrafted([{}, {}, {}]);
    const { page } = await startTab(browser, home, { width: 320 });
    const message =
      "There is no space left for the device's database; free some on its disk, or choose another, and try again.";
    await intercept(page, "**/api/proposals/*/decision", (route) =>
      route.request().url().includes("msg-2")
        ? route.fulfill({ status: 507, json: { error: { code: "store_full", message } } })
        : keepsWayBack(route),
    );
    await page.getByRole("button", { name: "Approve: Subject 1" }).click();
    const way = page.getByRole("button", { name: "Undo", exact: true });
    await way.waitFor();
    await page.getByRole("button", { name: "Approve: Subject 2" }).click();
    await page.getByText(/^That did not work: Subject 2/).waitFor();
    expect(await page.getByText(/^Approved: Subject 1/).count()).toBe(1);
    expect(await violationsOn(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 256 });
    // Of what helps nothing is cut off, and both are in the window or can be scrolled to.
    const why = page.locator(".undo-box p", { hasText: message });
    expect(await why.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
    const top = (await page.locator(".undo").boundingBox())?.y;
    expect(top).toBeGreaterThan(256 / 5);
    await way.click();
    await page.getByText(/^(Taken back|Open again, .*): Subject 1/).waitFor();
    // And what failed is said until its person has seen it.
    expect(await page.getByText(/^That did not work: Subject 2/).count()).toBe(1);
    expect(home.store.proposals.counts()).toMatchObject({ pending: 3 });
  });
});
