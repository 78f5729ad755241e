import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { systemClock } from "../../device/connection/clock.ts";
import { consoleFolder } from "../../device/console/presence.ts";
import { serveConsole } from "../../device/console/serve.ts";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { type ConsoleHome, inbox, noRescans, program, scoutId } from "./console-home.ts";
import { startConsole } from "./setting.ts";

interface Line {
  readonly at: string;
  readonly event: { readonly type: string; readonly proposal?: { readonly id: string; readonly status: string } };
}

const bodyOf = async (answer: Promise<Response>): Promise<unknown> => (await answer).json();
const pageIn = z.object({
  proposals: z.array(z.object({ id: z.string(), reasonCode: z.string() })),
  total: z.number(),
});

const projectIn = z.object({ project: z.object({ id: z.string() }) });

/** A tab that listens: `next` resolves with the next event that is not the device's connection or a beat. */
function listen({ ask }: ConsoleHome, token: string, after: string) {
  const lines = linesOf(ask("GET", `/api/events?after=${encodeURIComponent(after)}`, { token }));
  return {
    async next(): Promise<Line> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done || value === undefined) throw new Error("the stream ended");
        if (value.event.type !== "beat" && value.event.type !== "connection") return value;
      }
    },
    cut: () => lines.return(undefined),
  };
}

/** Where a new tab begins. */
async function placeNow(setting: ConsoleHome, token: string): Promise<string> {
  const tab = listen(setting, token, "new");
  const { at } = await tab.next();
  await tab.cut();
  return at;
}

async function* linesOf(answer: Promise<Response>): AsyncGenerator<Line, undefined> {
  const { body } = await answer;
  if (body === null) throw new Error("no stream");
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield JSON.parse(part);
  }
  return undefined;
}

describe("what a tab asks for", () => {
  it("lists what the device holds by pages, from wherever it is looked at, with how many there are", async () => {
    const proposals = Array.from({ length: 230 }, (_, n) =>
      makeProposal(n, { triagedAt: 1_000 + Math.floor(n / 7), reasonCode: n % 2 === 0 ? "personal" : "calendar" }),
    );
    const { ask, token } = await startConsole({ proposals });
    const given = { token: await token() };
    const page = async (body: object) =>
      pageIn.parse(await bodyOf(ask("POST", "/api/proposals/page", { ...given, body })));
    const seen: string[] = [];
    for (const from of [0, 100, 200, 300]) {
      const { proposals: some, total } = await page({ from });
      expect({ from, total }).toEqual({ from, total: 230 });
      expect(some.length).toBeLessThanOrEqual(100);
      seen.push(...some.map(({ id }) => id));
    }
    expect(seen).toHaveLength(230);
    expect(new Set(seen)).toEqual(new Set(proposals.map(({ id }) => id)));
    const { proposals: middle } = await page({ from: 150 });
    expect(middle.map(({ id }) => id)).toEqual(seen.slice(150));
    const narrowed = await page({ why: "calendar", from: 100 });
    expect(narrowed).toMatchObject({ total: 115, proposals: { length: 15 } });
    expect(narrowed.proposals.every((each) => each.reasonCode === "calendar")).toBe(true);
    expect(await page({ status: "approved" })).toEqual({ total: 0, proposals: [] });
    const counts = (body: object) => bodyOf(ask("POST", "/api/proposals/counts", { ...given, body }));
    const scouts = { [scoutId]: 230 };
    const reasons = { personal: 115, calendar: 115 };
    const others = { categories: { unprocessed: 230 }, priorities: { none: 230 }, projects: {}, notSearched: 0 };
    expect(await counts({})).toEqual({ total: 230, scouts, reasons, ...others });
    // What a filter is set to narrows the others, and not itself.
    expect(await counts({ why: "calendar" })).toEqual({
      ...{ total: 115, scouts: { [scoutId]: 115 }, reasons, notSearched: 0 },
      ...{ categories: { unprocessed: 115 }, priorities: { none: 115 }, projects: {} },
    });
  });

  it("searches subject, sender, snippet and reason, each word anywhere, without case and accents", async () => {
    const sender = { name: "Élodie Marchand", address: "elodie@example.fr" };
    const { ask, token } = await startConsole({
      proposals: [
        makeProposal(1, { rawSubject: "CRÊPES dimanche ?", metadata: { sender, relation: "to", automatic: false } }),
        makeProposal(2, { rawSnippet: "100% off_crepes", reason: "She asks about Sunday" }),
        makeProposal(3, { rawSubject: null, rawSnippet: null, reasonCode: "calendar" }),
      ],
    });
    const given = { token: await token() };
    const found = async (words: string, more = {}) => {
      const body = { words, ...more };
      const { proposals, total } = pageIn.parse(await bodyOf(ask("POST", "/api/proposals/page", { ...given, body })));
      expect(total).toBe(proposals.length);
      expect(await bodyOf(ask("POST", "/api/proposals/counts", { ...given, body }))).toMatchObject({ total });
      return proposals.map(({ id }) => Number(id.split("-").at(-1)));
    };
    expect(await found("crepes")).toEqual([2, 1]);
    expect(await found("Crêpes ELODIE")).toEqual([1]);
    expect(await found("marchand sunday")).toEqual([]);
    expect(await found("sunday")).toEqual([2]);
    expect(await found("example.fr")).toEqual([1]);
    // No wildcards, no SQL, no word: all is text.
    expect(await found("% off_")).toEqual([2]);
    expect(await found("_%")).toEqual([]);
    expect(await found("') OR 1=1 --")).toEqual([]);
    expect(await found("   ")).toEqual([3, 2, 1]);
    expect(await found("crepes", { why: "calendar" })).toEqual([]);
    expect((await ask("POST", "/api/proposals/page", { ...given, body: { words: "x".repeat(201) } })).status).toBe(400);
  });

  it("P3: decides, undoes, and tells the cloud only what stands ten seconds later", async () => {
    const { ask, token, store, cloud } = await startConsole();
    const given = { token: await token() };
    const path = `/api/proposals/${makeProposal(1).id}`;
    const decided = await bodyOf(ask("PUT", `${path}/decision`, { ...given, body: { outcome: "approved" } }));
    expect(decided).toMatchObject({ proposal: { status: "approved" }, undoableMs: 10_000 });
    expect((await ask("PUT", `${path}/decision`, { ...given, body: { outcome: "rejected" } })).status).toBe(409);
    expect(await bodyOf(ask("DELETE", `${path}/decision`, given))).toMatchObject({ proposal: { status: "pending" } });
    expect(await bodyOf(ask("DELETE", `${path}/decision`, given))).toMatchObject({
      error: { code: "proposal_undecided" },
    });
    expect(store.outbox.counts().waiting).toBe(0);
    expect(cloud.resolved.size).toBe(0);
  });

  it("P1: reads an item's text at its source for this look, and nothing of it is stored", async () => {
    const secret = "only-for-this-look";
    const { ask, token, store } = await startConsole({ text: () => secret });
    const given = { token: await token() };
    expect(await bodyOf(ask("GET", `/api/items/${makeProposal(1).id}`, given))).toMatchObject({ text: secret });
    const files = readdirSync(store.dataFolder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    expect(files.length).toBeGreaterThan(1);
    for (const file of files)
      expect(readFileSync(`${file.parentPath}/${file.name}`).includes(secret), file.name).toBe(false);
  });

  it("shows what was dismissed and takes it back, and lists the scouts", async () => {
    const { ask, token, restored } = await startConsole({ dismissed: [{ ref: "m9", subject: "Buy now" }] });
    const given = { token: await token() };
    const watching = { ...inbox, state: "watching", since: null, code: null };
    expect(await bodyOf(ask("GET", "/api/scouts", given))).toEqual({ scouts: [watching], troubles: [] });
    const page = await bodyOf(ask("GET", `/api/dismissed?scout=${scoutId}`, given));
    expect(page).toMatchObject({ items: [{ ref: "m9", atSource: { subject: "Buy now" }, writtenAt: 4 }] });
    expect((await ask("POST", `/api/dismissed/${scoutId}.m9/restore`, given)).status).toBe(200);
    expect(restored).toEqual(["m9"]);
  });

  it("answers mistakes with a code and a sentence, and what nobody expected without its words", async () => {
    const { ask, token, store, problems } = await startConsole();
    const given = { token: await token() };
    for (const [method, path, status, code] of [
      ["GET", `/api/proposals/${makeProposal(9).id}`, 404, "proposal_unknown"],
      ["GET", "/api/proposals/none", 404, "proposal_unknown"],
      ["GET", "/api/items/none", 404, "item_unknown"],
      ["GET", "/api/projects/none", 404, "project_unknown"],
      ["GET", "/api/scouts/none", 404, "scout_unknown"],
      ["GET", "/api/work/tasks/none", 404, "task_unknown"],
      ["PUT", `/api/proposals/${makeProposal(1).id}/decision`, 400, "invalid_request"],
      ["GET", "/api/nothing", 404, "not_found"],
    ] as const) {
      const answer = await ask(method, path, given);
      expect(answer.status, path).toBe(status);
      expect(await answer.json()).toEqual({ error: { code, message: expect.stringMatching(/\.$/) } });
    }
    store.proposals.facets = () => {
      throw new Error("what nobody may read");
    };
    const broken = await ask("POST", "/api/proposals/counts", { ...given, body: {} });
    expect(broken.status).toBe(500);
    expect(await broken.text()).toMatch(
      /^\{"error":\{"code":"internal","message":"Something unexpected went wrong."\}\}$/,
    );
    expect(problems).toHaveLength(1);
  });

  it("says of a full disk that it is, whatever was to be written", async () => {
    const { ask, token, store, problems } = await startConsole();
    const given = { token: await token() };
    store.proposals.facets = () => {
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    };
    const answer = await ask("POST", "/api/proposals/counts", { ...given, body: {} });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: "store_full" } });
    expect(problems).toEqual([]);
  });
});

describe("P2: what a tab is told", () => {
  it("is each change since its list, in order, without a gap and without a double, however often the stream is cut", async () => {
    const setting = await startConsole();
    const token = await setting.token();
    const at = await placeNow(setting, token);
    const wanted = Array.from({ length: 30 }, (_, n) => makeProposal(100 + n));
    const heard: string[] = [];
    let place = at;
    let tab = listen(setting, token, place);
    for (const [n, proposal] of wanted.entries()) {
      // Every third is told while nobody listens.
      if (n % 3 === 0) await tab.cut();
      setting.deliver(proposal);
      if (n % 3 === 0) tab = listen(setting, token, place);
      const line = await tab.next();
      heard.push(line.event.proposal?.id ?? "");
      place = line.at;
    }
    expect(heard).toEqual(wanted.map(({ id }) => id));
  });

  it("is a decision made in another tab, its undoing, and that another process has written", async () => {
    const setting = await startConsole();
    const token = await setting.token();
    const at = await placeNow(setting, token);
    const tab = listen(setting, token, at);
    const path = `/api/proposals/${makeProposal(1).id}/decision`;
    await setting.ask("PUT", path, { token, body: { outcome: "rejected" } });
    expect((await tab.next()).event.proposal?.status).toBe("rejected");
    await setting.ask("DELETE", path, { token });
    expect((await tab.next()).event.proposal?.status).toBe("pending");
    const { dataFolder } = setting.store;
    const other = openDeviceStore({ ...systemTimeAndIds, dataFolder });
    decideProposal(other, makeProposal(2).id, "approved", () => newFrameId(systemTimeAndIds.newId));
    other.close();
    expect((await tab.next()).event.type).toBe("changed");
  });

  it("is that a project is made, called otherwise or gone: its name stands in every room", async () => {
    const setting = await startConsole();
    const token = await setting.token();
    const tab = listen(setting, token, await placeNow(setting, token));
    const ask = (method: string, path: string, body?: unknown) =>
      setting.ask(method, `/api/projects${path}`, { token, body });
    const { project } = projectIn.parse(await bodyOf(ask("POST", "", { name: "Garden" })));
    expect((await tab.next()).event.type).toBe("changed");
    await ask("PATCH", `/${project.id}`, { name: "The garden" });
    expect((await tab.next()).event.type).toBe("changed");
    await ask("DELETE", `/${project.id}`);
    expect((await tab.next()).event.type).toBe("changed");
  });

  it("is to begin anew, when its place is of another run or lies too far back", async () => {
    const setting = await startConsole();
    const token = await setting.token();
    const at = await placeNow(setting, token);
    for (const place of ["another.0", `${at}9`, "nonsense"]) {
      const tab = listen(setting, token, place);
      expect(await tab.next(), place).toMatchObject({ event: { type: "reset" } });
      await tab.cut();
    }
  });

  it("is what the time alone changes: something snoozed is to be shown again, and a day begins", async () => {
    // In Berlin 46 minutes before midnight.
    const clock = new ManualClock(Date.parse("2023-11-14T22:14:00Z"));
    const setting = await startConsole({ clock });
    const tab = listen(setting, await setting.token(), "new");
    expect((await tab.next()).event.type).toBe("reset");
    setting.store.proposals.snooze(makeProposal(1).id, clock.now() + 60_000);
    clock.advance(50_000);
    addEntity(setting.store, "task", { title: "Ring Ada" }, clock.now());
    clock.advance(1_000);
    expect((await tab.next()).event.type).toBe("work");
    clock.advance(20_000);
    expect((await tab.next()).event.type).toBe("changed");
    clock.advance(30 * 60_000);
    addEntity(setting.store, "task", { title: "Answer Ada" }, clock.now());
    clock.advance(1_000);
    expect((await tab.next()).event.type).toBe("work");
    clock.advance(20 * 60_000);
    expect((await tab.next()).event.type).toBe("changed");
    await tab.cut();
  });

  it("says while mail is being read that it is, and when it no longer is", async () => {
    const mailRead = Promise.withResolvers<void>();
    const { ask, token } = await startConsole({ mailRead: mailRead.promise });
    const given = { token: await token() };
    const early = linesOf(ask("GET", "/api/events?after=new", given));
    expect((await early.next()).value?.event).toEqual({ type: "reset", online: true, isReading: true });
    mailRead.resolve();
    expect((await early.next()).value?.event).toEqual({ type: "read" });
    const late = linesOf(ask("GET", "/api/events?after=new", given));
    expect((await late.next()).value?.event).toEqual({ type: "reset", online: true, isReading: false });
    for (const lines of [early, late]) await lines.return(undefined);
  });

  it("is a beat while nothing happens", async () => {
    const clock = new ManualClock();
    const { ask, token } = await startConsole({ clock });
    const given = { token: await token() };
    const lines = linesOf(ask("GET", "/api/events?after=new", given));
    expect((await lines.next()).value?.event).toEqual({ type: "reset", online: true, isReading: false });
    const first = lines.next();
    const turn = setInterval(() => clock.advance(1_000), 1);
    expect((await first).value?.event.type).toBe("beat");
    clearInterval(turn);
    await lines.return(undefined);
  });
});

it("one process serves a data folder's console; the next one takes over when it has ended", async () => {
  const { device, store, served, cloud } = await startConsole();
  const api = { apiUrl: cloud.url, auth: async () => "token" };
  const clock = systemClock;
  const rescans = noRescans;
  const options = {
    device,
    store,
    api,
    clock,
    program,
    rescans,
    fetchPage: async () => ({ status: 404, type: "", body: Buffer.alloc(0) }),
    onProblem: () => {},
  };
  expect(await serveConsole(options)).toBeUndefined();
  await served.close();
  const next = await serveConsole(options);
  expect(next?.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await next?.close();
  expect(consoleFolder(store.dataFolder)).toContain("console");
});

it("a program whose disk takes nothing any more stops its console all the same, and says nothing of what it leaves there", async () => {
  const { store, served } = await startConsole();
  const folder = consoleFolder(store.dataFolder);
  rmSync(folder, { recursive: true });
  // What refuses whatever is done to what lies in it, whoever does it.
  writeFileSync(folder, "");
  await served.close();
  await expect(fetch(served.origin)).rejects.toThrow();
});
