import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { emptyDraft } from "../../../device/categorize/draft.ts";
import { workIndexPath } from "../../../device/knowledge/index/index-file.ts";
import { IndexThread } from "../../../device/knowledge/index/index-thread.ts";
import { search } from "../../../device/knowledge/search/search.ts";
import { updateWorkIndex } from "../../../device/knowledge/work/update-work-index.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { addEntity, editEntity, eraseEntity, removeEntity } from "../../../device/work/change-entities.ts";
import type { Proposal } from "../../../events/proposals/proposal.ts";
import { newId } from "../../memory/chance.ts";
import { circumstances } from "../../rounds.ts";
import { makeProposal } from "../fake-cloud.ts";
import { Screen } from "../screen.ts";
import { temporaryStore } from "../setting.ts";
import { indexedFolder } from "./setting.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const canary = "quagmirezebra";
const find = (store: DeviceStore, text: string) => search({ text, limit: 10 }, { store, now: () => nowMs });
const titles = async (store: DeviceStore, text: string) => (await find(store, text)).work.map(({ title }) => title);

function mail(n: number, from: string, change: Partial<Proposal> = {}): Proposal {
  const sender = { name: from, address: `${from.toLowerCase()}@example.org` };
  return makeProposal(n, { metadata: { sender, relation: "to", automatic: false }, ...change });
}

function withWork(): DeviceStore {
  const store = temporaryStore(undefined, () => nowMs);
  store.proposals.add([
    mail(1, "Ada", { rawSubject: "The roof", rawSnippet: "Tiles come on Friday.", reason: "Asks when you are in." }),
    mail(2, "Bea", { rawSubject: "Tiles", rawSnippet: "Ours are blue." }),
  ]);
  addEntity(store, "task", { title: "Order tiles", note: "the blue ones" }, nowMs);
  addEntity(
    store,
    "event",
    { title: "Roofers", start: "2026-12-04", end: "2026-12-05", isAllDay: true, place: "Mill Lane" },
    nowMs,
  );
  addEntity(store, "note", { title: "Paint", markdown: "# Walls\n\nThe tiles need primer." }, nowMs);
  addEntity(store, "person", { name: "Ada Byron", addresses: ["ada@example.org"], note: "does roofs" }, nowMs);
  addEntity(store, "memory", { fact: "Tiles are 30 cm wide" }, nowMs);
  return store;
}

test("15: proposals, tasks, events, notes, people and facts are found, with what they say and where they lead", async () => {
  const store = withWork();
  expect((await titles(store, "tiles")).toSorted()).toEqual(
    ["Order tiles", "Paint", "The roof", "Tiles", "Tiles are 30 cm wide"].toSorted(),
  );
  const [roof] = (await find(store, "Friday")).work;
  expect(roof).toMatchObject({ kind: "proposal", title: "The roof", sender: "Ada ada@example.org", hasAll: true });
  expect(roof?.lines[0]?.parts).toContainEqual({ text: "Friday", isMatch: true });
  expect(await titles(store, "mill lane")).toEqual(["Roofers"]);
  expect((await titles(store, "byron roofs"))[0]).toBe("Ada Byron");
});

test("15: kind:, from:, before: and after: narrow them, with words and without", async () => {
  const store = withWork();
  expect(await titles(store, "tiles kind:task")).toEqual(["Order tiles"]);
  expect((await titles(store, "tiles kind:note kind:memory")).toSorted()).toEqual(["Paint", "Tiles are 30 cm wide"]);
  expect(await titles(store, "tiles from:ada")).toEqual(["The roof"]);
  expect(await titles(store, "from:bea@example.org")).toEqual(["Tiles"]);
  expect(await titles(store, "kind:event after:2026-12-01")).toEqual(["Roofers"]);
  expect(await titles(store, "kind:event before:2026-12-01")).toEqual([]);
  await expect(find(store, "project:nowhere tiles")).rejects.toMatchObject({ code: "project_unknown" });
});

test("15: a proposal is found by what its draft says, from when there is one, and by the project it was given to", async () => {
  const store = withWork();
  expect(await titles(store, "checkup")).toEqual([]);
  const garden = indexedFolder({ "a.md": "soil" }, store).project;
  store.proposals.claim("test", 2, 60_000);
  const draft = { ...emptyDraft, title: "Checkup", place: "Linden street", people: ["Noa"], note: "Bring the card." };
  store.proposals.categorize(makeProposal(1).id, "test", { category: "event", priority: "none", draft });
  for (const words of ["checkup", "linden", "noa", "card", "checkup roof"])
    expect([words, await titles(store, words)]).toEqual([words, ["The roof"]]);
  expect(await titles(store, `tiles project:${garden.id}`)).toEqual([]);
  store.proposals.assign(makeProposal(2).id, garden.id);
  expect(await titles(store, `tiles project:${garden.id}`)).toEqual(["Tiles"]);
});

test("15: what belongs to a project is found by its name also where the project has no folder", async () => {
  const store = withWork();
  const { id } = store.projects.add("Garden");
  addEntity(store, "task", { title: "Paint the shed", projectId: id }, nowMs);
  expect(await titles(store, "shed project:garden")).toEqual(["Paint the shed"]);
  expect(await titles(store, "tiles project:garden")).toEqual([]);
});

test("15: an event is at the moment at which clocks of its own zone show its time", async () => {
  const store = temporaryStore(undefined, () => nowMs);
  const times = { start: "2026-11-27T18:00:00", end: "2026-11-27T20:00:00" };
  for (const zone of ["Europe/Berlin", "Asia/Tokyo"])
    addEntity(store, "event", { title: `Dinner in ${zone}`, ...times, zone }, nowMs);
  const { work } = await find(store, "dinner");
  expect(new Map(work.map(({ title, atMs }) => [title, new Date(atMs).toISOString()]))).toEqual(
    new Map([
      ["Dinner in Europe/Berlin", "2026-11-27T17:00:00.000Z"],
      ["Dinner in Asia/Tokyo", "2026-11-27T09:00:00.000Z"],
    ]),
  );
});

test("15: a sender narrows a search to what was sent: files have none", async () => {
  const folder = indexedFolder({ "a.md": "tiles tiles tiles" });
  await folder.index();
  folder.store.proposals.add([mail(1, "Ada", { rawSubject: "tiles" })]);
  const { hits, work } = await folder.find("tiles from:Ada");
  expect([hits, work.map(({ title }) => title)]).toEqual([[], ["tiles"]]);
  expect(await folder.paths("tiles")).toEqual(["a.md"]);
});

test("15: what changes is found as it is now, what is removed or erased is gone from every byte", async () => {
  const store = withWork();
  const note = addEntity(store, "note", { title: "Secret", markdown: `The ${canary} sleeps.` }, nowMs);
  expect(await titles(store, canary)).toEqual(["Secret"]);
  const bytes = () => {
    const path = workIndexPath(store.dataFolder);
    const files = [path, `${path}-wal`].filter((file) => existsSync(file));
    return Buffer.concat(files.map((file) => readFileSync(file)));
  };
  expect(bytes().includes(canary)).toBe(true);

  editEntity(store, "note", note.id, { title: "Known" }, nowMs);
  expect(await titles(store, canary)).toEqual(["Known"]);
  removeEntity(store, "note", note.id);
  expect(await titles(store, canary)).toEqual([]);
  expect(bytes().includes(canary)).toBe(false);
  eraseEntity(store, "note", note.id);
  expect(await titles(store, canary)).toEqual([]);
});

test("15: a proposal that is judged again is found by its new reason; a decision changes nothing of it", async () => {
  const store = temporaryStore(undefined, () => nowMs);
  store.proposals.add([mail(1, "Ada", { reasonCode: "unjudged", reason: null })]);
  expect(await titles(store, "plumbing")).toEqual([]);
  store.proposals.add([mail(1, "Ada", { reason: "About plumbing." })]);
  expect(await titles(store, "plumbing")).toHaveLength(1);
  const before = store.searchChanges.latest();
  store.proposals.decide(makeProposal(1).id, "approved");
  expect(store.searchChanges.latest()).toBe(before);
});

test.each(circumstances(["is damaged", "is lost", "was followed by another", "is ahead"] as const))(
  "15: an index of work that %s is filled again, and finds",
  async (how) => {
    const store = withWork();
    await updateWorkIndex(store);
    const path = workIndexPath(store.dataFolder);
    if (how === "is lost") truncateSync(path);
    if (how === "is damaged") writeFileSync(path, "no database at all, but long enough to be looked at");
    if (how === "was followed by another" || how === "is ahead") {
      const connection = new DatabaseSync(path);
      connection.exec(`UPDATE facts SET value = '${how === "is ahead" ? 1_000 : 1}' WHERE name = 'followedTo'`);
      connection.close();
    }
    expect(await titles(store, "primer")).toEqual(["Paint"]);
    expect(await titles(store, "kind:task tiles")).toEqual(["Order tiles"]);
  },
);

test("15: an index of work that is damaged where only a search or an update comes by is filled again", async () => {
  const store = withWork();
  const note = "tiles ".repeat(3_000);
  for (let at = 0; at < 20; at++) addEntity(store, "note", { title: `Note ${at}`, markdown: `${note} ${at}` }, nowMs);
  await updateWorkIndex(store);
  const path = workIndexPath(store.dataFolder);
  const damage = () => {
    const bytes = readFileSync(path);
    // The first pages say what it is, and are read by whoever opens it.
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 20_480), Buffer.alloc(bytes.length - 20_480, 0xa5)]));
  };
  damage();
  expect(await titles(store, "primer")).toEqual(["Paint"]);
  damage();
  addEntity(store, "task", { title: "Order nails" }, nowMs);
  expect(await titles(store, "nails")).toEqual(["Order nails"]);
});

test("15: a change is followed without a look at all that is in the index", async () => {
  const store = withWork();
  await updateWorkIndex(store);
  const asked = vi.spyOn(IndexThread.prototype, "ask");
  onTestFinished(() => asked.mockRestore());
  addEntity(store, "task", { title: "Order nails" }, nowMs);
  await updateWorkIndex(store);
  expect(await titles(store, "nails")).toEqual(["Order nails"]);
  const orders = asked.mock.calls.map(([order]) => order.do);
  expect(orders).toContain("follow");
  expect(orders).not.toContain("known");
});

test("nothing silent: an index that has to be brought up to date says how far it is", async () => {
  const store = withWork();
  for (let at = 0; at < 450; at++) addEntity(store, "task", { title: `Nail ${at}` }, nowMs);
  const told = vi.fn();
  const find = () => search({ text: "nail", limit: 1, told }, { store, now: () => nowMs });
  await find();
  const { total } = told.mock.calls.at(-1)?.[0] ?? {};
  expect(total).toBeGreaterThan(450);
  expect(told).toHaveBeenLastCalledWith({ done: total, total });
  told.mockClear();
  await find();
  expect(told).not.toHaveBeenCalled();
  for (let at = 0; at < 450; at++) addEntity(store, "task", { title: `Screw ${at}` }, nowMs);
  await find();
  expect(told.mock.calls).toEqual([0, 200, 400].map((done) => [{ done, total: 450 }]));
});

test("15: an update that was stopped between index and store is done again, once", async () => {
  const store = withWork();
  await updateWorkIndex(store);
  const interrupted = { ...store, searchChanges: { ...store.searchChanges, forget: () => expect.fail("killed here") } };
  addEntity(store, "task", { title: "Order nails" }, nowMs);
  await expect(updateWorkIndex(interrupted)).rejects.toThrow("killed here");
  await updateWorkIndex(store);
  expect(await titles(store, "nails")).toEqual(["Order nails"]);
});

test("15: two programs that follow the same changes end with the same index", async () => {
  const store = withWork();
  await updateWorkIndex(store);
  const { dataFolder } = store;
  const other = temporaryStore(dataFolder, () => nowMs);
  for (let at = 0; at < 30; at++) addEntity(at % 2 === 0 ? store : other, "task", { title: `Nail ${at}` }, nowMs);
  await Promise.all([updateWorkIndex(store), updateWorkIndex(other)]);
  const { work } = await search({ text: "nail kind:task", limit: 100 }, { store, now: () => nowMs });
  expect(work).toHaveLength(30);
  expect(store.searchChanges.after(0, 1)).toEqual([]);
});

test("15: credentials in mail are neither found nor shown", async () => {
  const store = temporaryStore(undefined, () => nowMs);
  const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  store.proposals.add([mail(1, "Ada", { rawSubject: "Deploy", rawSnippet: `The walrus token is ${token}.` })]);
  expect(await titles(store, token)).toEqual([]);
  expect(JSON.stringify(await find(store, "walrus"))).not.toContain(token);
});

test("15: scouts search shows them with the command that opens each", async () => {
  const store = withWork();
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
  const context = { io, environment: {}, workingFolder: store.dataFolder, now: () => nowMs, newId };
  const code = await runCommand(["search", "tiles", "from:Ada", "--data", store.dataFolder], context, "1");
  // On a slow machine stderr tells how far the index is.
  expect(code, stderr.written).toBe(0);
  expect(stdout.written).toContain("The roof  proposal  Ada ada@example.org");
  expect(stdout.written).toContain("Tiles come on Friday.");
  expect(stdout.written).toContain(`scouts proposals show ${makeProposal(1).id}`);
});
