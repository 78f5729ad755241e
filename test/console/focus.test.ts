import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { temporaryFolder } from "../device/setting.ts";
import { whole } from "../rounds.ts";
import { loaded, startBrowser } from "./browser-page.ts";
import { inbox } from "./console-home.ts";
import { stopNow, tabStops } from "./focus.ts";
import { startProject } from "./project-home.ts";
import { addFeed, startConsoleOnHome } from "./real-home.ts";
import { startConsole, startTab } from "./setting.ts";

/** What stands above every page. */
const bar = [
  ...["link Brief", "link Inbox", "link Dismissed", "link Search", "link Ask", "link Projects", "link Work"],
  "link Scouts",
  ...["link Activity", "link Usage", "link Settings", "button English Language"],
];
/** The buttons of a row of mail. */
const card = (n: number) => [
  `button Approve: Subject ${n}`,
  `button Reject: Subject ${n}`,
  `button More: Subject ${n}`,
];
const kinds = [
  "button Gmail You give access on Google's own page.",
  "button Feed An RSS, Atom or JSON feed of a web site.",
  "button locked Connected by its own settings.",
];

describe.skipIf(!hasBrowser)("the focus", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** Goes once round a page with Tab, and once back. */
  async function expectStops(page: Page, url: string, stops: readonly string[]): Promise<void> {
    await page.goto(url);
    await loaded(page);
    const timeless = (found: readonly string[]) => found.map((stop) => stop.replace(/: \w+ \d+, .*/, ""));
    // What a page asks for after it is there, its history say, has stops too.
    await expect.poll(async () => timeless(await tabStops(page))).toEqual([...bar, ...stops]);
    expect(timeless(await tabStops(page, "Shift+Tab"))).toEqual([...bar, ...stops].reverse());
  }

  // Of a change, mail and projects: what other pages are made of is on these too.
  it("goes round each page of mail in the order one reads it, and is seen at each stop", async () => {
    const proposals = [1, 2].map((n) => makeProposal(n, { triagedAt: Date.now() - 60_000 + n }));
    const home = await startConsole({ proposals, dismissed: [{ ref: "m9", subject: "Buy now" }] });
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 2" }).waitFor();
    await expectStops(page, `${home.served.origin}/inbox`, [
      ...[
        "searchbox Search",
        "button Keys",
        "button Waiting Status",
        "button Newest first Order",
        "button More filters",
      ],
      ...[
        "checkbox Choose: Subject 2",
        "link Subject 2",
        ...card(2),
        "checkbox Choose: Subject 1",
        "link Subject 1",
        ...card(1),
      ],
    ]);
    const filters = [
      "button All Scout",
      "button All Why",
      "button All Kind",
      "button All How soon",
      "button All Project",
    ];
    await expectStops(page, `${home.served.origin}/inbox?category=event`, [
      ...[
        "searchbox Search",
        "button Keys",
        "button Waiting Status",
        "button Newest first Order",
        "button Fewer filters",
      ],
      ...filters.map((each) => each.replace("All Kind", "Event (0) Kind")),
    ]);
    home.store.knownScouts.replace([inbox]);
    await expectStops(page, `${home.served.origin}/`, [
      ...["link Subject 2", ...card(2), "link Subject 1", ...card(1), "link Show all, what deserves attention first"],
    ]);
    const item = `${home.served.origin}/items/${makeProposal(2).id}`;
    await expectStops(page, item, [
      ...["link Back to the inbox", "button Approve", "button Reject", "button Edit", "button Snooze", "button More"],
      "button Headers",
    ]);
    await expectStops(page, `${home.served.origin}/search`, ["searchbox Search"]);
    await expectStops(page, `${home.served.origin}/ask`, ["textbox Your question", "textbox Attach"]);
    await expectStops(page, `${home.served.origin}/activity`, [...["tab Waiting for you", "tabpanel Waiting for you"]]);
    await expectStops(page, `${home.served.origin}/dismissed`, [
      ...["button Inbox Scout", "button Look at it: Buy now", "button Take back: Buy now"],
    ]);
  });

  it.skipIf(!whole)(
    "goes round each page of scouts and settings in the order one reads it, and is seen at each stop",
    async () => {
      const home = await startConsoleOnHome();
      const id = await addFeed(home, await home.token(), "News");
      const { id: folder } = home.store.projects.add("Garden");
      home.store.projects.link(folder, temporaryFolder());
      home.store.localScouts.put(folder);
      const { page } = await startTab(browser, home, { path: "/scouts" });
      await page.getByRole("link", { name: "News" }).waitFor();
      const at = (path: string) => `${home.served.origin}${path}`;
      await expectStops(page, at("/scouts"), ["link Add a source", "link News", "link Garden"]);
      await expectStops(page, at(`/scouts/${id}`), [
        ...["link All scouts", "button Pause", "button Look now", "button Reconnect", "button Remove"],
        ...["textbox Name", "textbox Purpose", "button Try on the last 50"],
        ...["textbox Schedule", "textbox Rests after so many days", "textbox Sender's address"],
      ]);
      await expectStops(page, at("/scouts/add"), ["link All scouts", ...kinds]);
      await expectStops(page, at("/usage"), [...["textbox Price of a million tokens", "textbox Currency (EUR, USD)"]]);
      await expectStops(page, at("/settings"), [
        ...["button As the browser Language", "button As the system Colours", "button Off When something arrives"],
        ...["button Test", "button Measure again", "button Check now"],
      ]);
      await expectStops(page, at("/welcome"), [...kinds, "textbox Folder", "button Look for it…"]);
    },
  );

  it("goes round each page of projects in the order one reads it, and is seen at each stop", async () => {
    const project = await startProject({ "README.md": "one\n", "src/main.ts": "start();\n" });
    const { home, id, numberOf } = project;
    const { page } = await startTab(browser, home, { path: "/projects" });
    await page.getByRole("link", { name: "garden", exact: true }).waitFor();
    const at = (path: string) => `${home.served.origin}/projects${path}`;
    const chip = "link garden: watched. Show the files.";
    const form = ["textbox Folder", "button Look for it…"];
    await expectStops(page, at(""), ["link garden", chip, ...form, "textbox Name"]);
    const tabs = ["link All projects", chip, "link Overview", "link Files", "link Ask", "link Tasks"];
    await expectStops(page, at(`/${id}`), [
      ...[...tabs, "button Read now", "link README.md", "link 2"],
      ...["switch Reads the folder by itself", "button every 24 hours How often"],
      ...["button What was done", "textbox Name", "button Remove the project", "button Unlink"],
    ]);
    const narrowing = ["searchbox Search", "button All Show", "switch By folder"];
    await expectStops(page, at(`/${id}/files`), [...tabs, ...narrowing, "link README.md", "link src/main.ts"]);
    await expectStops(page, at(`/${id}/files?view=tree`), [...tabs, ...narrowing, "button src", "link README.md"]);
    const file = at(`/${id}/files/${numberOf("README.md")}`);
    const views = [...tabs, "link All files", "link Content", "link Edit", "link As a model sees it", "link History"];
    await expectStops(page, file, [...views, "region README.md"]);
    await expectStops(page, `${file}?view=model`, [...views, "region As a model sees it"]);
    await expectStops(page, at(`/${id}/tasks`), tabs);
  });

  it.skipIf(!whole)("goes round each page of work in the order one reads it, and is seen at each stop", async () => {
    const home = await startConsole({ proposals: [] });
    const { id } = addEntity(home.store, "task", { title: "Answer Ada" }, 1);
    const times = { start: "2020-11-27", end: "2020-11-28", isAllDay: true };
    addEntity(home.store, "event", { title: "Fair", ...times }, 1);
    const { page } = await startTab(browser, home, { path: "/work" });
    await page.getByRole("link", { name: "Answer Ada" }).waitFor();
    const at = (path: string) => `${home.served.origin}${path}`;
    const work = ["link Tasks", "link Calendar", "link Notes", "link People", "link Memory", "button Keys"];
    await expectStops(page, at("/work/tasks"), [
      ...[...work, "textbox New task", "textbox Due", "searchbox Search"],
      ...["button Open Status", "button All Due", "button All Priority", "button Due date Order"],
      ...["button As todo.txt", "button As Markdown", "button Take from a file"],
      ...["checkbox Done: Answer Ada", "link Answer Ada"],
    ]);
    await expectStops(page, at(`/work/tasks/${id}`), [
      ...[...work, "link All tasks", "button Complete", "button Delete", "textbox Title", "textbox Due"],
      ...["button None Priority", "button No project Project", "textbox Note", "button Undo: change 1"],
    ]);
    // Of the days one takes the focus: the arrow keys go through the others.
    await expectStops(page, at("/work/calendar?day=2020-11-27"), [
      ...[...work, "button Previous month", "button Today", "button Next month", "button Month", "button Week"],
      ...["button Export (.ics)", "button Take from a file (.ics)"],
      "gridcell Friday, November 27, 2020, 1 event Fair",
      ...["textbox New event", "textbox Start", "link Fair"],
    ]);
    await expectStops(page, at("/work/notes"), [...work, "textbox New note", "searchbox Search", "button Export all"]);
  });

  it("stays in a dialog while that is open, and returns to what opened it", async () => {
    const home = await startConsoleOnHome();
    const id = await addFeed(home, await home.token(), "News");
    const { page } = await startTab(browser, home, { path: `/scouts/${id}` });
    const remove = page.getByRole("button", { name: "Remove" });
    await remove.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("alertdialog");
    await dialog.waitFor();
    // What would do harm is not where one stands.
    await expect.poll(() => stopNow(page)).toBe("button Cancel");
    const round: unknown[] = [];
    for (const _ of [1, 2, 3, 4]) {
      await page.keyboard.press("Tab");
      round.push(await stopNow(page));
    }
    expect(round).toEqual(["button Remove", "button Cancel", "button Remove", "button Cancel"]);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => stopNow(page)).toBe("button Remove");
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => stopNow(page)).toBe("button Remove");
  });

  it("returns from the list of keys to the row it was called from, or to its button", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 1" }).focus();
    const dialog = page.getByRole("dialog");
    for (const [opener, key] of [
      ["link Subject 1", "?"],
      ["button Keys", "Enter"],
    ] as const) {
      if (key === "Enter") await page.getByRole("button", { name: "Keys" }).focus();
      await page.keyboard.press(key);
      await dialog.waitFor();
      const round: unknown[] = [];
      for (const _ of [1, 2, 3]) {
        await page.keyboard.press("Tab");
        round.push(await stopNow(page));
      }
      expect(round).toEqual(["switch Single keys act", "button Close", "switch Single keys act"]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await expect.poll(() => stopNow(page)).toBe(opener);
    }
  });

  it("returns to the button of a menu, whether something was chosen or not", async () => {
    const home = await startConsole();
    const { page } = await startTab(browser, home);
    await page.getByRole("link", { name: "Subject 1" }).waitFor();
    const list = page.getByRole("listbox");
    await page.getByRole("button", { name: "Status" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => stopNow(page)).toBe("option Waiting");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await expect.poll(() => stopNow(page)).toBe("button Waiting Status");
    await page.keyboard.press("Enter");
    await expect.poll(() => stopNow(page)).toBe("option Waiting");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => stopNow(page)).toBe("option Snoozed");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => stopNow(page)).toBe("option Approved");
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "detached" });
    await expect.poll(() => stopNow(page)).toBe("button Approved Status");
    await page.getByRole("button", { name: "Language" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "Italiano" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => stopNow(page)).toBe("option Italiano");
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "detached" });
    await expect.poll(() => stopNow(page)).toBe("button Italiano Lingua");
  });
});
