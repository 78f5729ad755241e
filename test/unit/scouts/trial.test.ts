import { describe, expect, test } from "vitest";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import { trialId } from "../../../events/ids.ts";
import { trialMessage } from "../../../events/queues.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { TrialStore } from "../../../shared/scouts/trial/trial-store.ts";
import { ada, inbox, relevant, spam } from "./setting.ts";
import { TrialCloud, type World } from "./trial-cloud.ts";

const codeOf = (work: Promise<unknown>): Promise<ErrorCode | "none"> =>
  work.then(
    () => "none",
    (error) => (error instanceof ScoutsError ? error.code : "internal"),
  );

/** "owl" is dismissed now and wanted then; "invoice" the other way round; "flyer" is dismissed both times. */
async function threeItems(): Promise<TrialCloud> {
  const cloud = new TrialCloud();
  await cloud.scout();
  await cloud.judged("owl", spam);
  await cloud.judged("invoice", relevant);
  await cloud.judged("flyer", spam);
  return cloud;
}

describe("a trial", () => {
  test("says of each item what another purpose would make of it, and leaves everything as it was", async () => {
    const cloud = await threeItems();
    const before = cloud.ledger.dump().filter(({ sk }) => !sk.startsWith("USAGE#") && !sk.startsWith("QUOTA#"));
    await cloud.start();
    expect(await cloud.shown()).toMatchObject({ status: "running", total: 3, judged: 0, tokensUsed: 0 });
    await cloud.workAll();
    const shown = await cloud.shown();
    expect(shown).toMatchObject({
      status: "completed",
      ...{ total: 3, judged: 3, newlyProposed: 1, newlyDismissed: 1, unchanged: 1, failed: 0, tokensUsed: 360 },
    });
    expect(shown.items.map(({ ref, before, after, atSource }) => [ref, before, after, atSource])).toEqual([
      [
        "flyer",
        { verdict: "spam", reasonCode: "marketing" },
        { verdict: "spam", reasonCode: "marketing", confidence: 0.95 },
        undefined,
      ],
      [
        "invoice",
        { verdict: "relevant", reasonCode: "personal" },
        { verdict: "spam", reasonCode: "marketing", confidence: 0.95 },
        expect.objectContaining({ subject: "invoice" }),
      ],
      [
        "owl",
        { verdict: "spam", reasonCode: "marketing" },
        { verdict: "relevant", reasonCode: "personal", confidence: 0.95 },
        expect.objectContaining({ subject: "owl" }),
      ],
    ]);
    expect(cloud.ledger.dump().filter(({ sk }) => !sk.startsWith("USAGE#") && !sk.startsWith("QUOTA#"))).toEqual(
      before,
    );
    expect(await cloud.usage()).toEqual({ used: 360, committed: 360, open: 0 });
  });

  test("looks at the newest verdicts only, and at none of senders that are muted", async () => {
    const cloud = await threeItems();
    await cloud.judged("from somebody muted".replaceAll(" ", "-"), { ...spam, reasonCode: "muted" });
    await cloud.start({ last: 2 });
    await cloud.workAll();
    expect((await cloud.shown()).items.map(({ ref }) => ref)).toEqual(["flyer", "invoice"]);
  });

  test("P1: neither the purpose nor anything of the items is at rest, and afterwards not even sealed", async () => {
    const cloud = await threeItems();
    const words = ["Eberswalde", "Text of", "Because of", "noor@example.org"];
    const looks: string[] = [];
    cloud.model.meanwhile = async () => void looks.push(cloud.atRest());
    await cloud.start();
    looks.push(cloud.atRest());
    const sealed = () => cloud.sessions.dump().flatMap((row) => (typeof row["sealed"] === "string" ? [row] : []));
    expect(sealed()).toHaveLength(1);
    await cloud.workAll();
    looks.push(cloud.atRest());
    expect(looks).toHaveLength(5);
    for (const look of looks) for (const word of words) expect(look).not.toContain(word);
    expect(sealed()).toEqual([]);
  });

  test("P2: started again under its id it is one; delivered again it asks no model and counts nothing", async () => {
    const cloud = await threeItems();
    await cloud.start();
    await cloud.start({ purpose: "Something else" });
    expect(cloud.queue.bodies()).toHaveLength(3);
    const copies = cloud.queue.bodies().map((body) => trialMessage.parse(JSON.parse(body)));
    await cloud.workAll();
    await cloud.queue.send(copies.map((body) => ({ body, group: ada })));
    await cloud.workAll();
    expect(cloud.model.asked).toHaveLength(3);
    expect(await cloud.usage()).toEqual({ used: 360, committed: 360, open: 0 });
    expect((await cloud.shown()).tokensUsed).toBe(360);
  });

  test("P2: killed before every step in turn, it ends with one result an item and tokens counted once", async () => {
    let kills = 0;
    for (let step = 1; ; step += 1) {
      const cloud = await threeItems();
      let left = step;
      let killed = false;
      const steps: string[] = [];
      const world = mortal(cloud, (what) => {
        steps.push(what);
        left -= 1;
        if (left === 0) killed = true;
        return killed;
      });
      const dying = cloud.start({}, world).then(() => cloud.work(10, cloud.ports(world)));
      await dying.catch(() => undefined);
      if (!killed) break;
      kills += 1;
      // The device asks again, having had no answer; the queue delivers again what was not ended.
      await cloud.start();
      await cloud.workAll();
      cloud.nowMs += 12 * 60_000;
      const reserved = (await cloud.usage()).open > 0;
      cloud.nowMs += 2 * 3_600_000;
      if (reserved) await cloud.settleReservations();
      const told = `killed at ${step}: ${steps.at(-1)}`;
      expect(await cloud.shown(), told).toMatchObject({ status: "completed", judged: 3, failed: 0, tokensUsed: 360 });
      expect(await cloud.usage(), told).toEqual({ used: 360, committed: 360, open: 0 });
    }
    expect(kills).toBeGreaterThan(15);
  });

  test("P2: what a worker that died had not counted is counted when its message comes again", async () => {
    const cloud = await threeItems();
    await cloud.start({ last: 1 });
    let asked = false;
    cloud.model.meanwhile = async () => {
      asked = true;
    };
    // The ledger is gone once there is an answer: the result is written, and not counted.
    const half = mortal(cloud, (what) => asked && what.startsWith("ledger"));
    await cloud.workAndDie(1, cloud.ports(half));
    expect((await cloud.usage()).open).toBe(1);
    cloud.nowMs += 6 * 60_000;
    await cloud.workAll();
    expect(cloud.model.asked).toHaveLength(1);
    expect(await cloud.usage()).toEqual({ used: 120, committed: 120, open: 0 });
  });

  test("P2: two workers on one item: the first result is everybody's, and counted once", async () => {
    const cloud = await threeItems();
    await cloud.start({ last: 1 });
    const [body] = cloud.queue.bodies().map((text) => trialMessage.parse(JSON.parse(text)));
    if (body) await cloud.queue.send([{ body, group: ada }]);
    await Promise.all([cloud.work(1), cloud.work(1)]);
    expect((await cloud.shown()).tokensUsed).toBe(120);
    expect(await cloud.usage()).toEqual({ used: 120, committed: 120, open: 0 });
  });

  test("a scout that has judged nothing, is not connected or is off is refused, and nothing is kept", async () => {
    const empty = new TrialCloud();
    await empty.scout();
    expect(await codeOf(empty.start())).toBe("trial_without_items");
    const off = new TrialCloud();
    await off.scout({ disabledCode: "reauth" });
    expect(await codeOf(off.start())).toBe("reauth");
    expect([empty.sessions.dump(), off.sessions.dump()]).toEqual([[], []]);
  });

  test("another scout's trial is none of this one's", async () => {
    const cloud = await threeItems();
    await cloud.start();
    const other = trialId.parse("trl_01KE5Q8600ESE4NYY1EVXDNQEV");
    expect(await codeOf(cloud.shown(other))).toBe("trial_unknown");
  });

  test("with the month's tokens used up each item says so; nothing waits for next month", async () => {
    const cloud = await threeItems();
    const month = new Date(cloud.nowMs).toISOString().slice(0, 7);
    await cloud.ledger.update({ pk: `USER#${ada}`, sk: `USAGE#${month}#triage` }, { set: [[["committed"], 499_000]] });
    await cloud.start();
    await cloud.workAll();
    expect(await cloud.shown()).toMatchObject({ status: "completed", failed: 3, tokensUsed: 0 });
    expect((await cloud.shown()).items.map(({ code }) => code)).toEqual(Array(3).fill("quota_exceeded"));
    expect(cloud.model.asked).toEqual([]);
  });

  test("a model that cannot be asked is told at once, without asking it", async () => {
    const cloud = await threeItems();
    const open = { code: "model_unreachable", sinceMs: 0, state: "open" } as const;
    cloud.breaker = { current: async () => ({ ...open }) as never, blame: async () => ({ whose: "item" }) };
    await cloud.start();
    await cloud.workAll();
    expect((await cloud.shown()).items.map(({ code }) => code)).toEqual(Array(3).fill("model_unreachable"));
    expect(cloud.model.asked).toEqual([]);
  });

  test("a model that fails for a moment is asked again; one item that cannot be judged keeps no other from it", async () => {
    const cloud = await threeItems();
    cloud.gone.add("flyer");
    cloud.model.faults = [new ScoutsError("model_unavailable")];
    await cloud.start();
    await cloud.workAll();
    const shown = await cloud.shown();
    expect(shown).toMatchObject({ status: "completed", failed: 1, newlyProposed: 1, newlyDismissed: 1 });
    expect(shown.items.find(({ ref }) => ref === "flyer")).toMatchObject({ after: null, code: "item_gone" });
    expect(await cloud.usage()).toEqual({ used: 240, committed: 240, open: 0 });
  });

  test("a useless answer is the item's end, and billed", async () => {
    const cloud = await threeItems();
    cloud.model.faults = [
      new ScoutsError("model_answer_invalid", { data: { inputTokens: 50, outputTokens: 5 } }),
      ...[undefined, undefined],
    ];
    await cloud.start();
    await cloud.workAll();
    expect(await cloud.shown()).toMatchObject({ failed: 1, tokensUsed: 295 });
    expect(await cloud.usage()).toEqual({ used: 295, committed: 295, open: 0 });
  });

  test("what was billed before the model failed is counted, also when the item is tried again", async () => {
    const cloud = await threeItems();
    cloud.model.faults = [new ScoutsError("model_unavailable", { data: { inputTokens: 50, outputTokens: 5 } })];
    await cloud.start();
    await cloud.workAll();
    expect(await cloud.shown()).toMatchObject({ status: "completed", failed: 0, tokensUsed: 55 + 3 * 120 });
    expect(await cloud.usage()).toEqual({ used: 55 + 3 * 120, committed: 55 + 3 * 120, open: 0 });
  });

  test("an item that takes its worker with it is answered at last, and never becomes a dead letter", async () => {
    const cloud = await threeItems();
    await cloud.start();
    const killer: World = { ...world(cloud), model: { complete: () => new Promise(() => {}) } };
    for (let receive = 1; receive <= 3; receive += 1) {
      void cloud.work(10, cloud.ports(killer));
      await vanish();
      cloud.nowMs += 6 * 60_000;
    }
    await cloud.workAll();
    expect(await cloud.shown()).toMatchObject({ status: "completed", failed: 3 });
    expect((await cloud.shown()).items.map(({ code }) => code)).toEqual(Array(3).fill("attempts_exhausted"));
  });

  test("a scout that is removed meanwhile ends it: nothing more is asked, and nothing of it is left", async () => {
    const cloud = await threeItems();
    await cloud.start();
    await cloud.work(1);
    await new TrialStore(cloud.sessions).forget(ada, inbox);
    await cloud.ledger.delete({ pk: `USER#${ada}`, sk: `SCOUT#${inbox}` });
    await cloud.workAll();
    expect(cloud.model.asked).toHaveLength(1);
    expect(cloud.sessions.dump()).toEqual([]);
    expect(cloud.queue.bodies()).toEqual([]);
  });

  test("results are forgotten after twelve hours", async () => {
    const cloud = await threeItems();
    await cloud.start();
    await cloud.workAll();
    cloud.nowMs += 12 * 3_600_000;
    expect(await codeOf(cloud.shown())).toBe("trial_unknown");
    expect(await new ScoutStore(cloud.ledger).find(ada, inbox)).toBeDefined();
  });
});

const world = ({ ledger, sessions, queue, model }: TrialCloud): World => ({ ledger, sessions, queue, model });

/** Lets every promise that can settle do so: a model that never answers is what is left. */
const vanish = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A world that is gone from some call on: that call and all later ones never happen. */
function mortal(cloud: TrialCloud, dies: (what: string) => boolean): World {
  const wrap = <T extends object>(name: string, part: T): T =>
    new Proxy(part, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== "function") return value;
        return async (...given: unknown[]) => {
          if (dies(`${name}.${String(property)}`)) throw new Error("killed");
          return Reflect.apply(value, target, given);
        };
      },
    });
  const { ledger, sessions, queue, model } = world(cloud);
  return {
    ledger: wrap("ledger", ledger),
    sessions: wrap("sessions", sessions),
    queue: wrap("queue", queue),
    model: wrap("model", model),
  };
}
