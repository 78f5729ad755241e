import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openProject } from "../../device/access/open-project.ts";
import { openActivityStore } from "../../device/activity/activity-store.ts";
import { waitingApprover } from "../../device/activity/waiting-approver.ts";
import { systemClock } from "../../device/connection/clock.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { hasBrowser } from "../browser.ts";
import { temporaryFolder } from "../device/setting.ts";
import { intercept, startBrowser } from "./browser-page.ts";
import { faultsOfView, untranslatedOn } from "./faults.ts";
import { startConsole, startTab } from "./setting.ts";

const markup = `<img src=x onerror="document.title='taken'">\u202e<script>document.title='taken'</script>`;

/** A program that works on a linked folder, whose rules ask about each change. */
async function startWork() {
  const home = await startConsole({ proposals: [] });
  const folder = realpathSync(temporaryFolder());
  writeFileSync(join(folder, "plan.md"), `${markup}\n`);
  const { id } = home.store.projects.add(`Garden ${markup}`);
  home.store.projects.link(id, folder);
  const { dataFolder } = home.store;
  const activity = openActivityStore(dataFolder, systemTimeAndIds);
  const client = { canAsk: () => false, approve: async () => false };
  const project = await openProject({
    ...systemTimeAndIds,
    root: folder,
    dataFolder,
    approver: waitingApprover({
      approvals: activity.approvals,
      root: folder,
      client,
      isServed: () => true,
      clock: systemClock,
    }),
  });
  onTestFinished(() => {
    project.close();
    activity.close();
  });
  const session = project.access.openSession({ caller: `mcp:${markup}`, backend: "review" });
  const call = (tool: string, args: object) => project.access.call(session, tool, args);
  return { home, token: await home.token(), folder, activity, project, call };
}

describe.skipIf(!hasBrowser)("14: activity in a browser, by keyboard", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("calls what a person has done by a word of their language, in the runs and in the trail", async () => {
    const { home, project } = await startWork();
    const session = project.access.openSession({ caller: "person", backend: "review" });
    await project.access.call(session, "read_file", { path: "plan.md" });
    const { page } = await startTab(browser, home, { path: "/activity?view=runs", locale: "de" });
    await page.getByRole("heading", { name: /^Sie · Garden/ }).waitFor();
    await page.getByRole("tab", { name: "Prüfspur" }).click();
    await page.locator(".trail-line", { hasText: /^Sie · Datei lesen · plan\.md$/ }).waitFor();
    await page.getByRole("button", { name: /Werkzeug/ }).click();
    expect(await page.getByRole("option").allTextContents()).toEqual(["Alle", "Datei lesen"]);
  });

  it("says in words of the person's language how each call ended, and takes no tool that ran for one that failed", async () => {
    const { home, call, project } = await startWork();
    await call("read_file", { path: "gone.md" });
    await call("read_file", { path: "../other" });
    const { audit } = project.access;
    const record = (tool: string, outcome: string, session: string) =>
      audit.append({ caller: "person", session, tool, args: {}, decision: "none", outcome, files: [] });
    for (const end of ["started", "exit 0"]) record("tool:lint", end, "whole");
    for (const end of ["started", "exit 2", "started", "timed-out"]) record("tool:lint", end, "halves");
    record("attach:https", "attachment_overdue", "attached");
    const { page } = await startTab(browser, home, { path: "/activity?view=trail", locale: "de" });
    const ends = [
      ...["die Datei oder den Ordner gibt es nicht", "es führt aus dem Projekt hinaus", "begonnen"],
      ...["endete mit dem Exit-Code 2", "es dauerte zu lange", "Das Lesen hat länger als 30 Sekunden gedauert"],
    ];
    for (const end of ends) await page.locator(".trail-line", { hasText: end }).first().waitFor();
    expect(await page.getByText(/not_found|outside_root|timed-out|attachment_overdue/).count()).toBe(0);
    const isBad = (text: string) => page.locator(".trail-line .problem", { hasText: text }).count();
    expect([await isBad("begonnen"), await isBad("Exit-Code 0"), await isBad("Exit-Code 2")]).toEqual([0, 0, 1]);
    await page.getByRole("tab", { name: "Läufe" }).click();
    const run = page.getByRole("listitem").filter({ hasText: "Sie" });
    await run.first().waitFor();
    const failures = (await run.allTextContents()).map((text) => /(\d+) ohne Ergebnis/.exec(text)?.[1] ?? "0");
    expect(failures.toSorted()).toEqual(["0", "1", "2"]);
  });

  it("says of a trail that is narrowed by nothing and has no call that none was made, not that none was found", async () => {
    const { home } = await startWork();
    const { page } = await startTab(browser, home, { path: "/activity?view=trail" });
    const said = page.locator(".state h2");
    await said.waitFor();
    await expect.poll(() => said.allTextContents()).toEqual(["No call has been made yet"]);
    await page.goto(`${home.served.origin}/activity?view=trail&session=gone`);
    await expect.poll(() => said.allTextContents()).toEqual(["Nothing was found"]);
  });

  it("says what waits as it comes, is answered there, and says when that was done elsewhere", async () => {
    const { home, token, activity, call } = await startWork();
    const looked = { origin: home.served.origin, token };
    const { page, complaints } = await startTab(browser, home, { path: "/activity" });
    await page.getByText("Nothing waits for you").waitFor();
    const asked = call("write_file", {
      path: ".vscode/run.json",
      content: `{"run": "${"شرح ".repeat(50)}"}\n${markup}\n`,
    });
    const approve = page.getByRole("button", { name: "Approve: .vscode/run.json" });
    await approve.waitFor();
    await page.getByText("Programs run what this file says.").waitFor();
    expect(await page.getByRole("region", { name: "What would change" }).textContent()).toContain("+<img src=x");
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await faultsOfView({ page, ...looked }, "an approval")).toEqual([]);
    expect(await untranslatedOn({ page, ...looked }, "an approval")).toEqual([]);
    await page.getByRole("button", { name: "Erlauben: .vscode/run.json" }).focus();
    await page.keyboard.press("Enter");
    expect((await asked).ok).toBe(true);
    await page.getByText("in der Konsole").waitFor();

    const again = call("write_file", { path: ".vscode/other.json", content: "{}\n" });
    const refuse = page.getByRole("button", { name: "Ablehnen: .vscode/other.json" });
    await refuse.waitFor();
    const [waiting] = activity.approvals.waiting();
    // Somebody is faster, before this tab hears of it.
    await intercept(page, "**/api/activity/approvals/*", async (route) => {
      activity.approvals.end(waiting?.id ?? "", "refused", "command");
      await route.continue();
    });
    await page.getByRole("button", { name: "Erlauben: .vscode/other.json" }).press("Enter");
    await page.getByText("Das wurde schon abgelehnt, hier oder anderswo.").waitFor();
    await page.getByText("durch einen Befehl").waitFor();
    expect((await again).ok).toBe(false);
    expect(complaints.filter((each) => !each.includes("409"))).toEqual([]);
    expect(home.problems).toEqual([]);
  });

  it("shows what was done, rolls it back, proves the trail and takes it along", async () => {
    const { home, token, folder, call } = await startWork();
    const looked = { origin: home.served.origin, token };
    await call("read_file", { path: "plan.md", full: true });
    await call("write_file", { path: "plan.md", content: "another\n" });
    await call(`nonsense ${markup}`, {});
    const { page, complaints } = await startTab(browser, home, { path: "/activity" });
    await page.getByRole("tab", { name: "Waiting for you" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("1 change", { exact: false }).waitFor();
    expect(await faultsOfView({ page, ...looked }, "runs")).toEqual([]);
    await page.getByRole("button", { name: "Zurücknehmen" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Zurücknehmen" }).press("Enter");
    await page.getByText("Zurückgenommen: plan.md").waitFor();
    expect(readFileSync(join(folder, "plan.md"), "utf8")).toBe(`${markup}\n`);

    await page.getByRole("button", { name: "Was geschah" }).last().press("Enter");
    await page.getByRole("tab", { name: "Prüfspur", selected: true }).waitFor();
    const trail = page.getByRole("region", { name: "Prüfspur" });
    await trail.getByText("nonsense").waitFor();
    await page.getByRole("button", { name: "Alle Läufe" }).press("Enter");
    await trail.getByText("Fassung zurückholen").waitFor();
    await page.getByRole("button", { name: "Prüfen" }).press("Enter");
    await page.getByText("4 Einträge, unversehrt").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Exportieren/ }).press("Enter");
    const file = await (await saved).path();
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(4);
    expect(await faultsOfView({ page, ...looked }, "the trail")).toEqual([]);
    expect(await untranslatedOn({ page, ...looked }, "the trail")).toEqual([]);
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(complaints).toEqual([]);
    expect(home.problems).toEqual([]);
  });
});
