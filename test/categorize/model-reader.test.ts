import { EventEmitter } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { createModelReader, type ModelReaderOptions } from "../../device/categorize/agent/model-reader.ts";
import { RecentItems } from "../../device/categorize/agent/recent-items.ts";
import { keepToldReading } from "../../device/categorize/agent/told-reading.ts";
import { emptyDraft } from "../../device/categorize/draft.ts";
import type { ContentEvents } from "../../device/connection/content/content-channel.ts";
import type { ContentDraft } from "../../device/connection/content/content-frames.ts";
import type { DeviceEvents } from "../../device/connection/events.ts";
import { DeviceError } from "../../device/errors.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { CategorizeAnswer } from "../../events/agent-tools/categorize-answer.ts";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { ScoutsError } from "../../events/errors.ts";
import { callId, frameId, type ProposalId, sessionId } from "../../events/ids.ts";
import { categorizeLeaseMs } from "../../events/proposals/categorize.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { temporaryStore } from "../device/setting.ts";
import { nowMs } from "./case.ts";

const text = "Please water the plants.";
const answer: CategorizeAnswer = {
  category: "note",
  priority: "none",
  due: null,
  projectId: null,
  draft: { title: "Plants", note: "", start: null, end: null, place: "", people: [] },
  quotes: [text, "Not in it."],
};

/** How a run ends: with an answer, with a status of the cloud, or refused at once. */
type Ending =
  | { readonly text: string }
  | { readonly status: "error" | "quota_exceeded" | "token_limit"; readonly code?: ErrorCode }
  | { readonly refused: ErrorCode };

interface Run {
  readonly proposalId: ProposalId | undefined;
  readonly round: number | undefined;
  readonly message: string;
  /** What the device answered to `read_item` and to what it may not be asked. */
  readonly results: { readonly action: string; readonly text: string; readonly error?: string | undefined }[];
}

const ids = {
  session: sessionId.parse("ses_01JD0000000000000000000001"),
  frame: frameId.parse("frm_01JD0000000000000000000001"),
};

/** A home in which every run asks for the item, for another one and for a file, and then ends as the script says: asked when it begins (-n) and when it ends (n). */
type Script = (run: Run, n: number, store: DeviceStore) => Ending | Promise<Ending>;

function home(store: DeviceStore, ending: Script) {
  const runs: Run[] = [];
  let open = 0;
  const openContent = () => {
    const events = new EventEmitter<ContentEvents>();
    open += 1;
    let run: Run | undefined;
    const end = async ({ runId }: Extract<ContentDraft, { type: "tool_results" }>) => {
      if (run === undefined) return;
      const how = await ending(run, runs.length, store);
      if ("refused" in how) return;
      const frame = { type: "run_complete", runId, tokensUsed: 9, toolCalls: 3, prompt: "agent-categorize@1" } as const;
      events.emit(
        "frame",
        "text" in how ? { ...frame, status: "completed", text: how.text } : { ...frame, text: "", ...how },
      );
    };
    return {
      events,
      ready: async () => ids.session,
      toPayloads: async (texts: readonly string[]) => texts.map((inline) => ({ inline })),
      async send(frame: ContentDraft) {
        if (frame.type === "agent_run") {
          const { proposalId, round, message, runId } = frame;
          run = { proposalId, round, message: "inline" in message ? message.inline : "", results: [] };
          runs.push(run);
          const how = await ending(run, -runs.length, store);
          if ("refused" in how) throw new ScoutsError(how.refused);
          const calls = [
            { action: "read_item", data: { proposal_id: proposalId } },
            { action: "read_item", data: { proposal_id: makeProposal(99).id } },
            { action: "list_projects_with_folder_manifests", data: {} },
          ].map((each, at) => ({ ...each, callId: callId.parse(`cal_01JD000000000000000000000${at}`) }));
          setImmediate(() =>
            events.emit("frame", { type: "tool_calls", runId, step: 0, calls, state: { inline: "sealed" } }),
          );
        }
        if (frame.type === "tool_results") {
          const actions = ["read_item", "read_item of another", "list of files"];
          for (const [at, { result, error }] of frame.results.entries()) {
            const said = "inline" in result ? result.inline : "";
            run?.results.push({ action: actions[at] ?? "", text: said, error });
          }
          setImmediate(() => void end(frame));
        }
        return ids.frame;
      },
      async close() {
        open -= 1;
        events.emit("ended", new ScoutsError("session_ended"));
      },
    };
  };
  return { runs, openContent, openChannels: () => open };
}

function readerOn(store: DeviceStore, clock: ManualClock, ending: Script) {
  const { runs, openContent, openChannels } = home(store, ending);
  const events = new EventEmitter<DeviceEvents>();
  const asked: ProposalId[] = [];
  const problems: Error[] = [];
  const device: ModelReaderOptions["device"] = {
    events,
    state: "ready",
    openContent,
    sendOutbox: () => {},
    requestItem: async (proposalId) => {
      asked.push(proposalId);
      const machine = { calendars: [], linkedData: [] };
      return { proposalId, subject: "Hello", sender: "", header: null, text, machine };
    },
  };
  const reader = createModelReader({
    store,
    device,
    clock,
    newId: systemTimeAndIds.newId,
    zone: "Europe/Berlin",
    recent: new RecentItems(),
    onProblem: (error) => void problems.push(error),
  });
  return { reader, runs, events, asked, problems, openChannels };
}

/** Proposals the rules have looked at, the first the oldest. */
function readStore(clock: ManualClock, count: number): DeviceStore {
  const store = temporaryStore(undefined, () => clock.now());
  store.proposals.add(Array.from({ length: count }, (_, n) => makeProposal(n + 1, { metadata: undefined })));
  for (const { id } of store.proposals.claim("rules", count, 1)) {
    const draft = { ...emptyDraft, title: "Hello", quotes: [text] };
    store.transaction(() => {
      store.proposals.categorize(id, "rules", { category: "task", priority: "none", draft });
      store.proposals.wantReading(id);
    });
  }
  return store;
}

const sent = (store: DeviceStore) =>
  store.outbox.waiting(99).flatMap((each) => {
    const frame = JSON.parse(each.text);
    return frame.type === "categorize_result" ? [frame] : [];
  });

async function through(
  count: number,
  ending: Script,
): Promise<ReturnType<typeof readerOn> & { store: DeviceStore; clock: ManualClock }> {
  const clock = new ManualClock(nowMs);
  const store = readStore(clock, count);
  const setting = readerOn(store, clock, ending);
  setting.reader.start();
  await setting.reader.whenIdle();
  return { ...setting, store, clock };
}

const said = (given: Partial<CategorizeAnswer> = {}): Ending => ({ text: JSON.stringify({ ...answer, ...given }) });

describe("a model reads what the rules have looked at", () => {
  test("oldest first, once; its result is held against the item and told to the other devices", async () => {
    const { store, runs, reader, problems, openChannels } = await through(3, () => said());
    await reader.close();
    expect(problems).toEqual([]);
    expect(runs.map(({ proposalId, round }) => [proposalId, round])).toEqual(
      [1, 2, 3].map((n) => [makeProposal(n).id, 1]),
    );
    for (const { category, payload } of store.proposals.list()) {
      expect(category).toBe("note");
      expect(payload).toMatchObject({ title: "Plants", by: "agent-categorize@1", quotes: [text] });
      expect(payload?.dropped).toEqual(["quote_not_found"]);
    }
    expect(sent(store)).toHaveLength(3);
    expect(openChannels()).toBe(0);
  });

  test("a run is given its own item, and neither another one nor a list of files", async () => {
    const { runs, reader } = await through(1, () => said());
    await reader.close();
    const [run] = runs;
    expect(run?.results.map(({ action, error }) => [action, error])).toEqual([
      ["read_item", undefined],
      ["read_item of another", "refused"],
      ["list of files", "action_unknown"],
    ]);
    expect(run?.results[0]?.text).toContain(text);
    // What the device itself says holds nothing that somebody else wrote.
    expect(run?.message).not.toMatch(/Hello|water/);
  });

  test("what was decided meanwhile stays as it was decided, and nobody is told anything else", async () => {
    const { store, reader } = await through(1, ({ proposalId }, n, store) => {
      if (n > 0 && proposalId !== undefined) store.proposals.decide(proposalId, "rejected");
      return said();
    });
    await reader.close();
    expect(store.proposals.list()).toMatchObject([{ status: "rejected", category: "task" }]);
    expect(sent(store)).toEqual([]);
  });

  test("two processes of one data folder have each proposal read once", async () => {
    const clock = new ManualClock(nowMs);
    const store = readStore(clock, 12);
    const other = temporaryStore(store.dataFolder, () => clock.now());
    const both = [store, other].map((each) => readerOn(each, clock, () => said()));
    for (const { reader } of both) reader.start();
    await Promise.all(both.map(({ reader }) => reader.whenIdle()));
    await Promise.all(both.map(({ reader }) => reader.close()));
    const read = both.flatMap(({ runs }) => runs.map(({ proposalId }) => proposalId));
    expect(read).toHaveLength(12);
    expect(new Set(read).size).toBe(12);
    expect(sent(store)).toHaveLength(12);
  });

  test.each([
    ["another answer", said({ category: "information" })],
    ["a failure", { status: "error", code: "model_unavailable" }],
    ["a refusal", { status: "quota_exceeded" }],
  ] as const)(
    "what a killed process had claimed is read by another, and kept once, though it comes with %s",
    async (_, end) => {
      const clock = new ManualClock(nowMs);
      const store = readStore(clock, 1);
      const late = Promise.withResolvers<Ending>();
      const killed = readerOn(store, clock, (_, n) => (n > 0 ? late.promise : said()));
      killed.reader.start();
      const next = readerOn(store, clock, () => said());
      next.reader.start();
      await next.reader.whenIdle();
      expect(next.runs).toEqual([]);
      clock.advance(26 * 60_000);
      await next.reader.whenIdle();
      expect(next.runs).toHaveLength(1);
      const before = store.proposals.list();
      // It was not dead but slow: its claim is gone, and it changes nothing.
      late.resolve(end);
      await killed.reader.whenIdle();
      await killed.reader.close();
      await next.reader.close();
      expect(store.proposals.list()).toEqual(before);
      expect(sent(store)).toHaveLength(1);
    },
  );
});

describe("what the rules found stays", () => {
  const rulesHold = (store: DeviceStore, dropped: readonly string[]) => {
    for (const { category, payload } of store.proposals.list()) {
      expect([category, payload?.by, payload?.dropped]).toEqual(["task", "rules", dropped]);
    }
    expect(sent(store)).toEqual([]);
  };

  test("where no model reads proposals: it is asked once in a session", async () => {
    const { store, runs, reader, events, clock } = await through(5, () => ({ refused: "categorize_off" }));
    expect(runs).toHaveLength(1);
    clock.advance(24 * 3_600_000);
    await reader.whenIdle();
    expect(runs).toHaveLength(1);
    events.emit("ready", { sessionId: ids.session, clockOffsetMs: 0 });
    await reader.whenIdle();
    expect(runs).toHaveLength(2);
    await reader.close();
    rulesHold(store, []);
  });

  test("while another device has it read; when its lease is over without a result, this one does", async () => {
    let isHeld = true;
    const { store, runs, reader, clock } = await through(1, () =>
      isHeld ? { refused: "categorize_claimed" } : said(),
    );
    rulesHold(store, []);
    isHeld = false;
    clock.advance(categorizeLeaseMs - 1_000);
    await reader.whenIdle();
    expect(runs).toHaveLength(1);
    clock.advance(60_000);
    await reader.whenIdle();
    await reader.close();
    expect(runs).toHaveLength(2);
    expect(store.proposals.list()).toMatchObject([{ category: "note" }]);
  });

  test("when the month's tokens are used up: all that wait say so, and one in six hours asks again", async () => {
    let isSpent = true;
    const { store, runs, reader, clock } = await through(4, () => (isSpent ? { status: "quota_exceeded" } : said()));
    expect(runs).toHaveLength(1);
    rulesHold(store, ["no_tokens"]);
    clock.advance(6 * 3_600_000 + 60_000);
    await reader.whenIdle();
    expect(runs).toHaveLength(2);
    isSpent = false;
    clock.advance(6 * 3_600_000 + 60_000);
    await reader.whenIdle();
    await reader.close();
    expect(store.proposals.list().map(({ category }) => category)).toEqual(["note", "note", "note", "note"]);
  });

  test.each([
    ["answers what is none", { text: "I would rather not." }, "model_unusable", 2],
    ["answers another form", { text: '{"category":"urgent"}' }, "model_unusable", 2],
    ["refuses", { status: "error", code: "model_refused" }, "model_unusable", 2],
    ["goes round in circles", { status: "token_limit" }, "model_unusable", 2],
    ["cannot be reached", { status: "error", code: "model_unavailable" }, "model_unavailable", 5],
    ["does not answer in time", { status: "error", code: "model_timeout" }, "model_unavailable", 5],
  ] as const)("when a model %s: it is said, and asked again so often and no more", async (_, ending, why, times) => {
    const { store, runs, reader, clock, problems } = await through(1, () => ending);
    rulesHold(store, [why]);
    for (let tries = 0; tries < 8; tries += 1) {
      clock.advance(24 * 3_600_000);
      await reader.whenIdle();
    }
    await reader.close();
    expect(runs).toHaveLength(times);
    rulesHold(store, [why]);
    expect(problems).toEqual([]);
  });

  test("of a proposal that is over it is asked once", async () => {
    const { runs, reader, clock, store } = await through(1, () => ({ refused: "proposal_not_open" }));
    clock.advance(24 * 3_600_000);
    await reader.whenIdle();
    await reader.close();
    expect(runs).toHaveLength(1);
    rulesHold(store, []);
  });
});

describe("a result of another device", () => {
  const told = (result: unknown, round = 1) => ({
    type: "categorize_result" as const,
    proposalId: makeProposal(1).id,
    round,
    result: { inline: typeof result === "string" ? result : JSON.stringify(result) },
  });
  const result = {
    category: "note",
    priority: "none",
    draft: { ...emptyDraft, title: "Plants", by: "agent-categorize@1" },
  };

  test("takes the place of what the rules found, and is read here no more", () => {
    const store = readStore(new ManualClock(nowMs), 1);
    expect(store.proposals.unread()).toBe(1);
    expect(keepToldReading(store, told(result))).toMatchObject({ category: "note", payload: { title: "Plants" } });
    expect(store.proposals.unread()).toBe(0);
    expect(store.proposals.claimReading("here", 1)).toBeUndefined();
    // The first of two results stays.
    expect(keepToldReading(store, told({ ...result, category: "task" }))).toBeUndefined();
    expect(store.proposals.list()).toMatchObject([{ category: "note" }]);
  });

  test("that comes before the rules have looked stays as well", () => {
    const clock = new ManualClock(nowMs);
    const store = temporaryStore(undefined, () => clock.now());
    store.proposals.add([makeProposal(1)]);
    store.proposals.claim("rules", 1, 1);
    keepToldReading(store, told(result));
    const rules = { category: "task", priority: "none", draft: emptyDraft } as const;
    expect(store.proposals.categorize(makeProposal(1).id, "rules", rules)).toBe(false);
    expect(store.proposals.list()).toMatchObject([{ category: "note" }]);
  });

  test("of another round, of what is decided, or that cannot be understood changes nothing", () => {
    const store = readStore(new ManualClock(nowMs), 1);
    for (const each of [told(result, 2), told("{"), told({ category: "note" }), told([])]) {
      expect(keepToldReading(store, each)).toBeUndefined();
    }
    store.proposals.decide(makeProposal(1).id, "approved");
    expect(keepToldReading(store, told(result))).toBeUndefined();
    expect(store.proposals.list()).toMatchObject([{ category: "task" }]);
  });

  test("names no project of that device", () => {
    const store = readStore(new ManualClock(nowMs), 1);
    const draft = { ...result.draft, projectId: "prj_01JD0000000000000000000009" };
    expect(keepToldReading(store, told({ ...result, draft }))?.payload).toMatchObject({
      projectId: null,
      dropped: ["project_unknown"],
    });
  });
});

test("of a store that takes nothing it is told once a minute, and what waits is read when it takes something again", async () => {
  const clock = new ManualClock(nowMs);
  const store = readStore(clock, 1);
  const { reader, runs, events, problems } = readerOn(store, clock, () => said());
  const full = new DeviceError("store_full");
  const claim = vi.spyOn(store.proposals, "claimReading").mockImplementation(() => {
    throw full;
  });
  reader.start();
  for (let second = 0; second < 90; second++) {
    const [row] = store.proposals.list();
    if (row !== undefined) events.emit("categorized", row);
    clock.advance(1_000);
    await reader.whenIdle();
  }
  expect(problems).toEqual([full, full]);
  claim.mockRestore();
  clock.advance(60_000);
  await reader.whenIdle();
  await reader.close();
  expect(runs).toHaveLength(1);
  expect(problems).toHaveLength(2);
});
