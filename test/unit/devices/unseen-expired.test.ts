import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { expiryMs, openAtOf } from "../../../shared/scouts/items/item-row.ts";
import { dailyMaintenance } from "../../../shared/scouts/lifecycle/daily-maintenance.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { MemoryCloud } from "../../socket/cloud.ts";
import { ada, decide, inbox, item, laptop, newFrame, phone, relevant } from "../scouts/setting.ts";

const one = item("m1");
const proposalId = `${inbox}.m1`;
const at = { pk: `USER#${ada}`, sk: `ITEM#${inbox}#m1` };
const fromLaptop = { userId: ada, deviceId: laptop, connectionId: "c1" };
const fromPhone = { userId: ada, deviceId: phone, connectionId: "c2" };

let cloud: MemoryCloud;
beforeEach(async () => {
  cloud = new MemoryCloud();
  const scout = { userId: ada, scoutId: inbox, createdAt: cloud.nowMs, sourceType: "gmail", sealed: "" };
  await cloud.ledger.put({ ...ledgerKey.scout(ada, inbox), ...scout });
  await cloud.items.judge(one, relevant, cloud.nowMs);
});

async function pulled(by: typeof fromLaptop): Promise<readonly ServerFrame[]> {
  await cloud.delivery.pull(by, { limit: 9 });
  return cloud.posted.splice(0).map(({ frame }) => frame);
}
async function ack(by: typeof fromLaptop): Promise<void> {
  await answerFrame(cloud.ports, by, JSON.stringify({ type: "scout_proposal_ack", id: newFrame(), proposalId }));
  expect(cloud.posted.splice(0)).toMatchObject([{ frame: { type: "accepted" } }]);
}
async function dailyPass(): Promise<void> {
  const row = await new ScoutStore(cloud.ledger).get(ada, inbox);
  await dailyMaintenance({ ledger: cloud.ledger, clock: () => cloud.nowMs, log: cloud.ports.log }, row);
}
const told = [
  { type: "scout_proposal_closed", proposalId, round: 1, reason: "expired" },
  { type: "scout_proposal", proposal: { id: proposalId, rawSubject: `subject of m1 of ${ada}` } },
];

describe("nothing silent: a proposal that expired before any device had stored it", () => {
  test.each(["before", "after"])("is told as closed, %s the daily pass, until a device has stored it", async (when) => {
    cloud.nowMs += expiryMs + 1;
    if (when === "after") for (const _ of [1, 2]) await dailyPass();
    for (const _ of [1, 2]) expect(await pulled(fromLaptop)).toMatchObject(told);
    expect(cloud.ledger.peek(at)).toMatchObject({ status: "expired" });
    await ack(fromLaptop);
    expect(cloud.ledger.peek(at)).not.toHaveProperty("openFor");
    for (const device of [fromLaptop, fromPhone]) expect(await pulled(device)).toEqual([]);
  });

  test("costs the daily pass no further write", async () => {
    cloud.nowMs += expiryMs + 1;
    await dailyPass();
    const once = cloud.ledger.requests["update"] ?? 0;
    await dailyPass();
    // Its own note of having been done.
    expect(cloud.ledger.requests["update"]).toBe(once + 1);
  });

  test("costs further pulls no write, however often it is told until it is stored", async () => {
    cloud.nowMs += expiryMs + 1;
    await pulled(fromLaptop);
    const once = cloud.ledger.requests["update"];
    expect(await pulled(fromLaptop)).toMatchObject(told);
    expect(cloud.ledger.requests["update"]).toBe(once);
  });

  test("is not told where a device has it, nor once it was decided, and where its source has it no more as gone", async () => {
    await ack(fromPhone);
    cloud.nowMs += expiryMs + 1;
    expect(await pulled(fromLaptop)).toMatchObject([told[0]]);
    expect(await pulled(fromLaptop)).toEqual([]);
    expect(await decide(cloud.ledger, one)).toMatchObject({ how: "done" });
    expect(await pulled(fromLaptop)).toEqual([]);
  });

  test("can be opened again, in its next round", async () => {
    cloud.nowMs += expiryMs + 1;
    await pulled(fromLaptop);
    await ack(fromLaptop);
    const reopen = { type: "scout_proposal_reopen", id: newFrame(), proposalId, round: 1 };
    await answerFrame(cloud.ports, fromLaptop, JSON.stringify(reopen));
    cloud.posted.splice(0);
    expect(await pulled(fromLaptop)).toMatchObject([{ type: "scout_proposal", proposal: { round: 2 } }]);
  });
});

describe("what is open is not kept waiting by what expired unseen", () => {
  const subjects = (frames: readonly ServerFrame[]) =>
    frames.flatMap((frame) => (frame.type === "scout_proposal" ? [frame.proposal.sourceMsgRef] : []));
  /** A run of pages, with the `resume` that is left if it is cut behind each. */
  async function run(after: string | undefined, limit: number) {
    const [pages, resumes]: [string[][], (string | undefined)[]] = [[], []];
    for (let from = after; ; ) {
      const { next, resume } = await cloud.delivery.pull(fromLaptop, { after: from, limit });
      pages.push(subjects(cloud.posted.splice(0).map(({ frame }) => frame)));
      resumes.push(resume);
      if (next === undefined) return { pages, resumes };
      from = next;
    }
  }
  beforeEach(async () => {
    const opened = async (ref: string) => {
      cloud.nowMs += 1;
      await cloud.items.judge(item(ref), relevant, cloud.nowMs);
    };
    for (const ref of ["m2", "m3"]) await opened(ref);
    cloud.nowMs += expiryMs + 1;
    for (const ref of ["n1", "n2", "n3"]) await opened(ref);
  });

  test.each([
    [
      2,
      [
        ["n1", "n2"],
        ["n3", "m1"],
        ["m2", "m3"],
      ],
    ],
    [
      3,
      [
        ["n1", "n2", "n3"],
        ["m1", "m2", "m3"],
      ],
    ],
    [9, [["n1", "n2", "n3", "m1", "m2", "m3"]]],
  ])("by pages of %i: it comes first, and nothing is left out", async (limit, pages) => {
    expect((await run(undefined, limit)).pages).toEqual(pages);
  });

  test("a run that is cut behind any page is made up for by the next, and a whole one is not repeated", async () => {
    const { resumes } = await run(undefined, 2);
    const found: string[][] = [];
    for (const resume of resumes) found.push((await run(resume, 9)).pages.flat());
    expect(found[0]).toEqual(["n1", "n2", "n3", "m1", "m2", "m3"]);
    expect(found[1]).toEqual(expect.arrayContaining(["m2", "m3"]));
    expect(found[2]).toEqual(["n1", "n2", "n3"]);
  });

  test("an item that is opened again meanwhile comes once, though the index still names it where it was", async () => {
    const entry = { ...at, openFor: ada, openAt: String(cloud.ledger.peek(at)?.["openAt"]) };
    await cloud.ledger.update(at, { set: [[["openAt"], openAtOf(cloud.nowMs, inbox, "m1")]] });
    const query = cloud.ledger.query.bind(cloud.ledger);
    vi.spyOn(cloud.ledger, "query").mockImplementation(async (asked) => {
      const page = await query(asked);
      return asked.to === undefined ? page : { ...page, items: [entry, ...page.items] };
    });
    expect((await run(undefined, 9)).pages.flat().sort()).toEqual(["m1", "m2", "m3", "n1", "n2", "n3"]);
  });

  test("what expired and has to wait for its source is asked for by the next run", async () => {
    const { connectors, quota } = cloud.ports;
    const [[type, source]] = [...connectors] as [[string, SourceConnector]];
    const limits = { unitsPerMinute: 60, costs: { list: 1, read: 1, watch: 1, archive: 1 } };
    (connectors as Map<string, SourceConnector>).set(type, { ...source, limits });
    const take = vi.spyOn(quota, "take").mockResolvedValueOnce({ granted: true });
    take.mockResolvedValueOnce({ granted: false, untilMs: cloud.nowMs + 60_000 }).mockResolvedValue({ granted: true });
    const first = await run(undefined, 9);
    expect(first.pages).toEqual([["n1", "n2", "n3"]]);
    expect((await run(first.resumes.at(-1), 9)).pages.flat()).toEqual(expect.arrayContaining(["m1", "m2", "m3"]));
  });
});

test("a proposal that a device has and that expired is closed without a look at its source, also where that may not be asked now", async () => {
  const { connectors, quota } = cloud.ports;
  const [[type, source]] = [...connectors] as [[string, SourceConnector]];
  const limits = { unitsPerMinute: 60, costs: { list: 1, read: 1, watch: 1, archive: 1 } };
  (connectors as Map<string, SourceConnector>).set(type, { ...source, limits });
  const take = vi.spyOn(quota, "take").mockResolvedValue({ granted: false, untilMs: cloud.nowMs + 60_000 });
  await ack(fromPhone);
  cloud.nowMs += expiryMs + 1;
  await cloud.items.judge(item("m2"), relevant, cloud.nowMs);
  expect(await pulled(fromLaptop)).toEqual([told[0]]);
  expect(take.mock.calls.map(([, , units]) => units)).toEqual([1]);
});
