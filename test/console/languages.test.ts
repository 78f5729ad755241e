import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyDraft } from "../../device/categorize/draft.ts";
import { newFrameId } from "../../device/store/decide.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { convertProposal } from "../../device/work/decide-into.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { pngOf } from "../device/scanner/documents.ts";
import { temporaryFolder } from "../device/setting.ts";
import { loaded, startBrowser, type Tab } from "./browser-page.ts";
import type { ConsoleHome } from "./console-home.ts";
import { inbox } from "./console-home.ts";
import { dayMs, startDrafted } from "./drafted-home.ts";
import { faultsOfView } from "./faults.ts";
import { changedByAgent, startProject } from "./project-home.ts";
import { addFeed, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("every page, in every language, narrow and wide, light and dark", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** What is wrong with a page, in every language. */
  async function faultsOf({ page }: Tab, home: ConsoleHome, token: string, path: string): Promise<string[]> {
    const { origin } = home.served;
    await page.goto(`${origin}${path}`);
    await loaded(page);
    return faultsOfView({ page, origin, token }, path);
  }

  it("mail is read without a fault of WCAG 2.2, and nothing is cut off", async () => {
    const proposals = [1, 2, 3].map((n) => makeProposal(n, { reason: null }));
    const home = await startConsole({
      proposals,
      dismissed: [{ ref: "m9", subject: "Buy now, and you have won the watch that everybody wants" }],
    });
    const token = await home.token();
    const { store } = home;
    store.knownScouts.replace([inbox]);
    store.knownScouts.switchedOff(inbox.id, "reauth", Date.now() - 86_400_000);
    store.proposals.claim("test", 10, 60_000);
    const draft = { ...emptyDraft, title: "Bring the papers to the notary, and a copy", due: "2026-12-01" };
    const reasons = ["asked", "deadline", "from_known"] as const;
    const reply = {
      ...draft,
      note: "Dear Ada,\nI will bring them.",
      reasons: [...reasons],
      quotes: ["Bring the papers"],
    };
    store.proposals.categorize(makeProposal(2).id, "test", { category: "reply", priority: "soon", draft: reply });
    addEntity(store, "task", { title: "Water the beds", due: "2020-01-01" }, Date.now());
    const today = new Date().toISOString().slice(0, 10);
    addEntity(
      store,
      "event",
      { title: "Lunch", start: `${today}T12:00:00`, end: `${today}T13:00:00`, zone: "Asia/Tokyo", place: "Harbour" },
      Date.now(),
    );
    store.proposals.decide(makeProposal(1).id, "approved");
    store.proposals.differs({ id: makeProposal(1).id, decided: 1, round: 1, outcome: "rejected" });
    const tab = await startTab(browser, home);
    await tab.page.getByRole("link", { name: "Subject 3" }).waitFor();
    for (const path of [
      "/",
      "/inbox?by=attention&category=reply",
      "/inbox?status=conflict",
      `/items/${makeProposal(1).id}`,
      "/inbox",
      `/items/${makeProposal(2).id}`,
      "/dismissed",
      "/search",
      "/ask",
      "/activity",
      "/inbox?status=approved",
    ])
      expect(await faultsOf(tab, home, token, path)).toEqual([]);
    const { page } = tab;
    const looked = { page, origin: home.served.origin, token };
    for (const [key, name] of [
      ["e", "edit"],
      ["s", "snooze"],
    ] as const) {
      await page.goto(`${looked.origin}/items/${makeProposal(2).id}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      expect(await faultsOfView(looked, name)).toEqual([]);
    }
    expect(tab.complaints).toEqual([]);
  });

  it("what is decided, closed, put off and dismissed is looked at without a fault of WCAG 2.2, and nothing is cut off", async () => {
    const home = await startDrafted([{}, {}, {}, {}, {}], { dismissed: [{ ref: "m9", subject: "Buy now" }] });
    const { store, idOf } = home;
    const times = { nowMs: Date.now(), notBefore: 0 };
    const title = "Bring the papers to the notary, and a copy";
    convertProposal(store, idOf(1), "task", { title }, times, () => newFrameId(systemTimeAndIds.newId));
    store.proposals.decide(idOf(2), "rejected");
    store.proposals.close(idOf(3), { reason: "resolved_elsewhere", round: 1, outcome: "approved" });
    store.proposals.close(idOf(4), { reason: "gone" });
    store.proposals.snooze(idOf(5), Date.now() + dayMs);
    const token = await home.token();
    const tab = await startTab(browser, home);
    const lists = ["approved", "rejected", "expired", "snoozed"].map((status) => `/inbox?status=${status}`);
    for (const path of [...lists, ...[1, 3, 5].map((n) => `/items/${idOf(n)}`)])
      expect(await faultsOf(tab, home, token, path)).toEqual([]);
    const { page } = tab;
    const looked = { page, origin: home.served.origin, token };
    await page.keyboard.press("u");
    await page.locator(".undo-ways").waitFor();
    expect(await faultsOfView(looked, "too late")).toEqual([]);
    // What leads somewhere stays for as long as somebody takes to read it.
    expect(await page.locator(".undo-ways").isVisible()).toBe(true);
    await page.goto(`${looked.origin}/dismissed`);
    await page.locator(".dismissed-row button").first().press("Enter");
    await page.locator(".item-text").waitFor();
    expect(await faultsOfView(looked, "dismissed text")).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  it("work is looked through and changed without a fault of WCAG 2.2, and nothing is cut off", async () => {
    const home = await startConsole({ proposals: [] });
    const { store } = home;
    const { id: projectId } = store.projects.add("Garden");
    const long = "An-answer-to-the-council-about-the-fence-that-everybody-has-been-waiting-for";
    addEntity(store, "task", { title: long, due: "2020-01-01", priority: "now", projectId, note: long }, 1);
    const { id } = addEntity(
      store,
      "event",
      { title: long, start: "2026-11-27", end: "2026-11-29", isAllDay: true },
      1,
    );
    addEntity(store, "note", { title: long, markdown: long }, 1);
    addEntity(store, "person", { name: "מס הכנסה", addresses: [`${long}@example.org`] }, 1);
    addEntity(store, "memory", { fact: long, source: long }, 1);
    const token = await home.token();
    const tab = await startTab(browser, home, { path: "/work" });
    await tab.page.getByRole("link", { name: long }).waitFor();
    const lists = ["/work/tasks", "/work/notes", "/work/people", "/work/memory"];
    const calendar = ["/work/calendar?day=2026-11-27", "/work/calendar?day=2026-10-25&view=week"];
    for (const path of [...lists, ...calendar, `/work/events/${id}`])
      expect(await faultsOf(tab, home, token, path)).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  it("scouts and settings are changed without a fault of WCAG 2.2, and nothing is cut off", async () => {
    const home = await startConsoleOnHome();
    const token = await home.token();
    const id = await addFeed(home, token, "News");
    const { id: folder } = home.store.projects.add("Garden");
    home.store.projects.link(folder, temporaryFolder());
    home.store.localScouts.put(folder);
    const tab = await startTab(browser, home, { path: "/scouts" });
    await tab.page.getByRole("link", { name: "News" }).waitFor();
    const scouts = ["/scouts", `/scouts/${id}`, "/scouts/add"];
    for (const path of [...scouts, "/usage", "/settings", "/welcome"])
      expect(await faultsOf(tab, home, token, path)).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  it("projects and their files are looked at without a fault of WCAG 2.2, and nothing is cut off", async () => {
    const project = await startProject({
      "README.md": "one\n",
      "empty.md": "",
      [`src/${"a-name-that-is-long-".repeat(6)}.ts`]: "start();\n",
      "p.png": pngOf(90, 60),
    });
    await changedByAgent(project, "README.md", "two\n");
    const { home, token, id, numberOf } = project;
    home.store.projects.add("A project without a folder");
    addEntity(
      home.store,
      "task",
      { title: "Water the roses", due: "2026-11-27", priority: "soon", projectId: id },
      1_000,
    );
    const tab = await startTab(browser, home, { path: "/projects" });
    await tab.page.getByRole("link", { name: "garden", exact: true }).waitFor();
    const file = `/projects/${id}/files/${numberOf("README.md")}`;
    const tabs = ["", "/files", "/files?view=tree", "/ask", "/tasks"].map((each) => `/projects/${id}${each}`);
    const views = [file, `${file}?view=model`, `${file}?view=history`, `/projects/${id}/files/${numberOf("p.png")}`];
    for (const path of ["/projects", ...tabs, ...views]) expect(await faultsOf(tab, home, token, path)).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });
});
