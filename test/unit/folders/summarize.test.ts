import { beforeEach, describe, expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { newObjectKey } from "../../../shared/devices/payloads.ts";
import type { Session } from "../../../shared/devices/session-store.ts";
import { IndexStore } from "../../../shared/folders/index/index-store.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { objectContext } from "../../../shared/privacy/object-context.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { newId } from "../../memory/chance.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { FolderCloud } from "./cloud.ts";
import { index, textFile } from "./setting.ts";

let cloud: FolderCloud;
let session: Session;
beforeEach(async () => {
  cloud = new FolderCloud();
  session = await cloud.hello();
  await cloud.start(200);
});

const results = () => cloud.frames("index_file_result");
const unavailable = () => new ScoutsError("model_unavailable");

/** A table of which some operations are others. */
const overriding = (table: MemoryTable, other: Partial<Table>): Table =>
  new Proxy<Table>(table, {
    get: (_, name) => Reflect.get(other, name) ?? Reflect.get(table, name)?.bind(table),
  });

/** Reservations of the month, whatever they are for. */
const leftToSpend = async (tokens: number) => {
  const caps = { total: 100_000, within: new Map() };
  const request = { op: "other", within: "other", tokens: 100_000 - tokens, base: 0 };
  const { month, granted } = await cloud.budget.reserve(cloud.from.userId, [request], caps);
  const [own] = granted;
  const result = { total: request.tokens, reservation: own?.id ?? "" };
  if (own) await cloud.budget.settle(cloud.from.userId, month, [{ request: own, result }]);
};

describe("a file", () => {
  test("is summarised, told, counted, and its object deleted", async () => {
    const key = newObjectKey(cloud.from.userId, session.sessionId, newId);
    const text = new Transient(new TextEncoder().encode("A long story"));
    await cloud.objects.put(key, session.sealer.sealBytes(text, objectContext(key)));
    await cloud.send([{ ...textFile("story.md"), content: { upload: { key, bytes: 40 } } }]);
    expect(await cloud.work()).toEqual([{ kind: "done" }]);
    expect(cloud.model.asked[0]?.user.reveal()).toContain("A long story");
    expect(results()).toEqual([
      {
        type: "index_file_result",
        sessionId: index,
        relPath: "story.md",
        summary: "About story.md",
        tag: "doc",
        tokensUsed: 120,
        prompt: "folder_file_summary_text@1",
      },
    ]);
    expect(cloud.frames("index_session_progress")).toEqual([
      { type: "index_session_progress", sessionId: index, processed: 1, total: 200 },
    ]);
    expect(await cloud.usage()).toEqual({ used: 120, committed: 120, open: 0, project: 120 });
    expect(cloud.objects.stored.size).toBe(0);
    expect(cloud.queue.length).toBe(0);
  });

  test("of an image goes to the model as an image, with its own prompt", async () => {
    const content = { inline: "data:image/png;base64,AAAA" };
    await cloud.send([{ ...textFile("map.png"), kind: "image", content }]);
    await cloud.work();
    expect(cloud.model.asked[0]?.image?.reveal()).toBe(content.inline);
    expect(results()).toMatchObject([{ prompt: "folder_file_summary_image@1" }]);
  });

  test("P1: nothing of path, content and summary is at rest while it is done", async () => {
    cloud.model.answer = () => ({ summary: "It tells of the xylophone", tag: "doc" });
    await cloud.send([textFile("hidden/xylophone.md", "xylophone music")]);
    await cloud.work();
    const atRest = JSON.stringify([
      cloud.sessionsTable.dump(),
      cloud.ledger.dump(),
      cloud.queue.bodies(),
      cloud.logged,
    ]);
    expect(atRest).not.toMatch(/xylophone|hidden/);
  });

  test("P2: delivered again it calls no model, counts nothing, and its result is posted again", async () => {
    await cloud.send([textFile("a.md")]);
    await cloud.send([textFile("a.md")]);
    await cloud.work(1);
    await cloud.work(1);
    expect(cloud.model.asked).toHaveLength(1);
    expect(results()).toHaveLength(2);
    expect(results()[1]).toEqual(results()[0]);
    expect((await cloud.usage()).used).toBe(120);
  });

  test("P2: twice in one batch it is one", async () => {
    await cloud.send([textFile("a.md")]);
    await cloud.send([textFile("a.md")]);
    expect(await cloud.work()).toEqual([{ kind: "done" }, { kind: "done" }]);
    expect([cloud.model.asked.length, results().length]).toEqual([1, 1]);
  });

  test("P2: two workers at once: the first result is everybody's, and counted once", async () => {
    await cloud.send([textFile("a.md")]);
    await cloud.send([textFile("a.md")]);
    let asked = 0;
    cloud.model.answer = () => {
      asked += 1;
      return { summary: `Answer ${asked}`, tag: "doc" };
    };
    await Promise.all([cloud.work(1), cloud.work(1)]);
    expect(asked).toBe(2);
    expect(results()[1]).toEqual(results()[0]);
    expect(await cloud.usage()).toMatchObject({ used: 120, committed: 120, open: 0 });
  });

  test("the answer is one line of at most 500 characters without controls and credentials", async () => {
    const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    cloud.model.answer = () => ({
      summary: `Deploys\nwith\u0000 \u202e${token} ${"to the harbour ".repeat(60)}`,
      tag: "config",
    });
    await cloud.send([textFile("a.md")]);
    await cloud.work();
    const [result] = results();
    const summary = result?.type === "index_file_result" ? (result.summary ?? "") : "";
    expect(summary.length).toBeLessThanOrEqual(500);
    expect(summary).toMatch(/^Deploys with .*redacted:.*…$/);
    expect(summary).not.toContain(token.slice(4, 20));
    expect(summary).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });
});

describe("faults", () => {
  test("a model that does not answer is asked again a little later, and nothing stays set aside meanwhile", async () => {
    cloud.model.faults = [unavailable()];
    await cloud.send([textFile("a.md")]);
    expect(await cloud.work()).toEqual([{ kind: "done" }]);
    expect([results().length, await cloud.usage()]).toMatchObject([0, { committed: 0, open: 0 }]);
    expect((cloud.queue.nextVisibleAtMs() ?? 0) - cloud.nowMs).toBe(2_000);
    await cloud.workAll();
    expect(results()).toMatchObject([{ summary: "About a.md" }]);
    expect(await cloud.usage()).toMatchObject({ used: 120, committed: 120, open: 0 });
  });

  test("one that never answers ends the file with its code after a few minutes", async () => {
    cloud.model.faults = Array.from({ length: 20 }, unavailable);
    await cloud.send([textFile("a.md")]);
    const beganMs = cloud.nowMs;
    await cloud.workAll();
    expect(cloud.model.asked).toHaveLength(9);
    expect(cloud.nowMs - beganMs).toBeLessThan(6 * 60_000);
    expect(results()).toMatchObject([{ error: "model_unavailable", summary: null, tag: null, tokensUsed: 0 }]);
    expect(await cloud.usage()).toMatchObject({ used: 0, committed: 0, open: 0 });
  });

  test("patience is had as long as the model asks for it, but not for half an hour", async () => {
    cloud.model.faults = [
      new ScoutsError("model_rate_limited", { data: { retryAfterMs: 90_000 } }),
      new ScoutsError("model_rate_limited", { data: { retryAfterMs: 30 * 60_000 } }),
    ];
    await cloud.send([textFile("a.md")]);
    await cloud.work();
    expect((cloud.queue.nextVisibleAtMs() ?? 0) - cloud.nowMs).toBe(90_000);
    await cloud.workAll();
    expect(results()).toMatchObject([{ error: "model_rate_limited" }]);
  });

  test("a useless answer is the file's end, and billed", async () => {
    cloud.model.faults = [new ScoutsError("model_refused", { data: { inputTokens: 70, outputTokens: 7 } })];
    await cloud.send([textFile("a.md")]);
    await cloud.work();
    expect(results()).toMatchObject([{ error: "model_refused", tokensUsed: 77 }]);
    expect(await cloud.usage()).toMatchObject({ used: 77, committed: 77, open: 0 });
  });

  test("what was billed before the model failed is counted, also when the file is tried again", async () => {
    cloud.model.faults = [new ScoutsError("model_unavailable", { data: { inputTokens: 70, outputTokens: 7 } })];
    await cloud.send([textFile("a.md")]);
    await cloud.workAll();
    expect(results()).toMatchObject([{ tokensUsed: 120 }]);
    expect(await cloud.usage()).toMatchObject({ used: 77 + 120, committed: 77 + 120, open: 0 });
  });

  test("an upload that never came is the file's end", async () => {
    const key = newObjectKey(cloud.from.userId, session.sessionId, newId);
    await cloud.send([{ ...textFile("a.md"), content: { upload: { key, bytes: 9 } } }]);
    await cloud.work();
    expect(results()).toMatchObject([{ error: "upload_missing" }]);
  });

  test("a file that took its worker with it three times is answered, and never becomes a dead letter", async () => {
    await cloud.send([textFile("a.md")]);
    for (const _ of [1, 2, 3]) {
      cloud.queue.receive(1);
      cloud.nowMs = cloud.queue.nextVisibleAtMs() ?? cloud.nowMs;
    }
    expect(await cloud.work()).toEqual([{ kind: "done" }]);
    expect(cloud.model.asked).toHaveLength(0);
    expect(results()).toMatchObject([{ error: "attempts_exhausted" }]);
    expect([cloud.queue.length, cloud.queue.deadLength]).toEqual([0, 0]);
  });

  test.each([0, 2, 4])(
    "P2: number %i of five takes its worker with it each time; the others are summarised",
    async (at) => {
      const names = ["a.md", "b.md", "c.md", "d.md", "e.md"];
      const culprit = names[at] ?? "";
      await cloud.send(names.map((name) => textFile(name)));
      for (const _ of [1, 2, 3]) {
        const death = Promise.withResolvers<void>();
        let isDead = false;
        cloud.model.answer = (prompt) => {
          isDead ||= prompt.includes(culprit);
          if (isDead) death.resolve();
          return { summary: "A summary", tag: "doc" };
        };
        // What a dead worker would still write is never written.
        const put: Table["put"] = async (...args) => {
          await new Promise((resolve) => setImmediate(resolve));
          return isDead ? new Promise<never>(() => {}) : cloud.sessionsTable.put(...args);
        };
        void cloud.work(5, { ...cloud.ports, index: new IndexStore(overriding(cloud.sessionsTable, { put })) });
        await death.promise;
        cloud.nowMs = cloud.queue.nextVisibleAtMs() ?? cloud.nowMs;
      }
      await cloud.work();
      expect(results().sort((a, b) => (a.relPath < b.relPath ? -1 : 1))).toMatchObject(
        names.map((name) => ({
          relPath: name,
          ...(name === culprit ? { error: "attempts_exhausted" } : { tag: "doc" }),
        })),
      );
      expect([cloud.queue.length, cloud.queue.deadLength]).toEqual([0, 0]);
    },
  );

  test("a device that is gone hears it when it asks again; one that cannot be reached now, a little later", async () => {
    cloud.failing.add("c1");
    await cloud.send([textFile("a.md")]);
    await cloud.work();
    expect([results().length, cloud.model.asked.length, cloud.queue.length]).toEqual([0, 1, 1]);
    cloud.failing.clear();
    cloud.gone.add("c1");
    await cloud.workAll();
    expect(results()).toEqual([]);
    await cloud.hello("c2");
    await cloud.send([textFile("a.md")], { ...cloud.from, connectionId: "c2" });
    expect(results()).toMatchObject([{ summary: "About a.md" }]);
    expect(cloud.model.asked).toHaveLength(1);
  });

  test("results go to the session's newest connection when the one that asked is gone", async () => {
    await cloud.send([textFile("a.md")]);
    cloud.gone.add("c1");
    await cloud.hello("c2");
    await cloud.work();
    expect(cloud.posted.map(({ connectionId }) => connectionId)).toEqual(["c2", "c2"]);
  });
});

describe("an index session that is over", () => {
  test.each([
    ["cancelled", () => cloud.cancel()],
    ["finished", () => cloud.finish()],
    ["without its session", () => cloud.sessions.end(cloud.from.userId, cloud.from.deviceId, cloud.nowMs)],
  ])("%s: its files are dropped unread and their objects deleted", async (_, end) => {
    const key = newObjectKey(cloud.from.userId, session.sessionId, newId);
    await cloud.objects.put(key, new Uint8Array(9));
    await cloud.send([{ ...textFile("a.md"), content: { upload: { key, bytes: 9 } } }]);
    await end();
    expect(await cloud.work()).toEqual([{ kind: "drop", code: "session_ended" }]);
    expect([cloud.model.asked.length, cloud.objects.stored.size]).toEqual([0, 0]);
    expect(await cloud.usage()).toMatchObject({ used: 0, committed: 0, open: 0 });
  });

  test("P2: cancelled while the model answers: the result stands and is counted", async () => {
    await cloud.send([textFile("a.md")]);
    cloud.model.meanwhile = async () => void (await cloud.cancel());
    await cloud.work();
    expect(results()).toHaveLength(1);
    expect(await cloud.usage()).toMatchObject({ used: 120, committed: 120, open: 0 });
  });

  test("P2: a reservation whose worker died is ended by the cron, by the file's row when there is one", async () => {
    await cloud.send([textFile("a.md"), textFile("b.md")]);
    const budget = new UnsettledBudget(cloud.ledger, "folder_index", cloud.clock, newId);
    cloud.model.faults = [undefined, unavailable()];
    void cloud.work(5, { ...cloud.ports, budget });
    await budget.reached.promise;
    expect((await cloud.usage()).open).toBe(2);
    await cloud.cancel();
    cloud.nowMs += 70 * 60_000;
    expect(await cloud.settleReservations()).toBe(2);
    expect(await cloud.usage()).toMatchObject({ used: 120, committed: 120, open: 0 });
  });
});

describe("the month's tokens", () => {
  test("used up: the file is told so, the session ends, later files are answered without a model", async () => {
    await leftToSpend(500);
    await cloud.send([textFile("a.md")]);
    await cloud.work();
    expect(results()).toMatchObject([{ relPath: "a.md", error: "quota_exceeded" }]);
    const over = { type: "index_session_done", sessionId: index, status: "quota_exceeded", code: "quota_exceeded" };
    expect(cloud.frames("index_session_done")).toMatchObject([over]);
    expect(await cloud.send([textFile("b.md")])).toMatchObject({ type: "accepted" });
    expect(results()).toMatchObject([{}, { relPath: "b.md", error: "quota_exceeded" }]);
    expect(await cloud.finish()).toMatchObject(over);
    expect([cloud.model.asked.length, cloud.queue.length]).toEqual([0, 0]);
    expect(await cloud.usage()).toMatchObject({ used: 99_500, committed: 99_500, open: 0, project: 0 });
  });

  test("files on the queue when they are used up are answered as well, and the partial results stand", async () => {
    const { estimatedTokens } = await estimateOf("a.md");
    await leftToSpend(estimatedTokens + 60);
    await cloud.send(["a.md", "b.md", "c.md"].map((path) => textFile(path)));
    await cloud.work(1);
    await cloud.work(1);
    await cloud.work(1);
    expect(results()).toMatchObject([
      { summary: "About a.md" },
      { error: "quota_exceeded" },
      { error: "quota_exceeded" },
    ]);
    expect(cloud.model.asked).toHaveLength(1);
    expect(cloud.frames("index_session_done")).toMatchObject([{ processed: 1, tokensUsed: 120 }]);
  });

  test("set aside for others only: the file waits for what they leave, at the cap to the token", async () => {
    const { estimatedTokens } = await estimateOf("a.md");
    await leftToSpend(estimatedTokens + 120);
    await cloud.send([textFile("a.md"), textFile("b.md")]);
    await cloud.work();
    expect(results()).toMatchObject([{ relPath: "a.md" }]);
    expect(cloud.queue.length).toBe(1);
    await cloud.workAll();
    expect(results()).toMatchObject([{ relPath: "a.md" }, { relPath: "b.md", summary: "About b.md" }]);
  });

  test("parallel workers never overshoot the cap", async () => {
    await leftToSpend(5_000);
    cloud.model.usage = { inputTokens: 800, outputTokens: 100 };
    const paths = Array.from({ length: 20 }, (_, at) => `${at}.md`);
    for (let at = 0; at < 20; at += 5) await cloud.send(paths.slice(at, at + 5).map((path) => textFile(path)));
    let most = 0;
    cloud.model.meanwhile = async () => {
      most = Math.max(most, (await cloud.usage()).committed);
    };
    await Promise.all(Array.from({ length: 20 }, () => cloud.work(1)));
    await cloud.workAll();
    const { used, committed } = await cloud.usage();
    expect(most).toBeLessThanOrEqual(100_000);
    expect([committed, used]).toEqual([
      used,
      95_000 + 900 * results().filter((each) => "summary" in each && each.summary).length,
    ]);
    expect(used).toBeLessThanOrEqual(100_000);
    expect(new Set(results().map((each) => "relPath" in each && each.relPath)).size).toBe(20);
  });

  test("a file that is summarised across the month's end counts in the month it was set aside in", async () => {
    const fresh = new FolderCloud();
    fresh.nowMs = Date.UTC(2026, 3, 1) - 1_000;
    await fresh.hello();
    await fresh.start();
    await fresh.send([textFile("a.md")]);
    fresh.model.meanwhile = async () => {
      fresh.nowMs += 5_000;
    };
    await fresh.work();
    expect(await fresh.usage(fresh.from.userId, "2026-03")).toMatchObject({ used: 120, committed: 120, open: 0 });
    expect(await fresh.usage(fresh.from.userId, "2026-04")).toMatchObject({ used: 0, committed: 0, open: 0 });
  });

  test("4.2: more files than the tier allows are refused by the worker as well", async () => {
    await cloud.send([textFile("a.md")]);
    await cloud.work();
    await cloud.sessionsTable.update(
      { pk: `USER#${cloud.from.userId}`, sk: `INDEX#${index}` },
      { set: [[["processed"], 200]] },
    );
    await cloud.send([textFile("b.md")]);
    await cloud.work();
    expect(results()).toMatchObject([{ summary: "About a.md" }, { relPath: "b.md", error: "folder_max_files" }]);
    expect(cloud.model.asked).toHaveLength(1);
  });
});

/** Of a worker that dies before it settles. */
class UnsettledBudget extends TokenBudget {
  readonly reached = Promise.withResolvers<void>();

  override settle(): Promise<void> {
    this.reached.resolve();
    return new Promise(() => {});
  }
}

/** What is set aside for a file of that name. */
async function estimateOf(path: string): Promise<{ estimatedTokens: number }> {
  const other = new FolderCloud();
  await other.hello();
  await other.start();
  await other.send([textFile(path)]);
  return JSON.parse(other.queue.bodies()[0] ?? "{}");
}

test("progress is counted from the rows, seldom", async () => {
  for (const path of ["a.md", "b.md", "c.md"]) await cloud.send([textFile(path)]);
  await cloud.work(1);
  await cloud.work(1);
  cloud.nowMs += 2_000;
  await cloud.work(1);
  expect(cloud.frames("index_session_progress")).toMatchObject([{ processed: 1 }, { processed: 3 }]);
  expect(await cloud.finish()).toMatchObject({ processed: 3, tokensUsed: 360 });
  expect((await cloud.usage()).project).toBe(360);
});
