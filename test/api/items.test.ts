import { afterEach, describe, expect, test } from "vitest";
import { itemListResponse, redriveResponse } from "../../events/http/items.ts";
import type { ItemRef, ScoutId } from "../../events/ids.ts";
import { UnjudgedStore } from "../../shared/scouts/items/unjudged-store.ts";
import { cleanUp } from "../standins/mailbox-fixture.ts";
import { type ApiSetting, ada, apiSetting, ref } from "./setting.ts";

afterEach(cleanUp);

const itemsPath = "/api/v1/items";
const minuteMs = 60_000;
const tokens = { inputTokens: 0, outputTokens: 0 };

/** One item of each kind, and one with a verdict. */
async function givenUp({ items, ledger, nowMs }: ApiSetting, scoutId: ScoutId): Promise<void> {
  const of = (name: string) => ({ userId: ada, scoutId, ref: ref(name) });
  const postponed = { sourceType: "gmail", nowMs, attempts: 1, dueAtMs: nowMs + minuteMs };
  const unjudged = new UnjudgedStore(ledger);
  await items.postpone(of("dead"), { ...postponed, status: "failed", code: "interrupted" });
  await items.end(of("dead"), { status: "dead", sourceType: "gmail", code: "source_forbidden" }, nowMs);
  await items.postpone(of("later"), { ...postponed, status: "deferred", code: "model_forbidden" });
  await items.postpone(of("once-more"), { ...postponed, status: "failed", code: "source_unavailable" });
  await unjudged.show(of("shown"), { sourceType: "gmail", code: "model_refused" }, nowMs, tokens);
  const verdict = { reasonCode: "personal", confidence: 0.9, model: "m", promptVersion: "p@1", ...tokens } as const;
  await items.judge(of("judged"), { status: "queued", sourceType: "gmail", ...verdict }, nowMs);
}

async function list(setting: ApiSetting, query = "", as = "ada") {
  const { status, body } = await setting.ask("GET", `${itemsPath}?${query}`, { as });
  expect(status).toBe(200);
  return itemListResponse.parse(body);
}

async function redrive(setting: ApiSetting, body: unknown, as = "ada") {
  const reply = await setting.ask("POST", `${itemsPath}/redrive`, { body, as });
  expect([reply.status, reply.code]).toEqual([200, undefined]);
  return redriveResponse.parse(reply.body);
}

const refsOf = ({ items }: { items: readonly { ref: ItemRef }[] }) => items.map((each) => each.ref);

describe("nothing silent: items without a verdict", () => {
  test("are listed with status, code, time and attempts; one with a verdict is not", async () => {
    const setting = await apiSetting();
    const scoutId = await setting.scout();
    await givenUp(setting, scoutId);
    const since = setting.nowMs;
    const nextLookAt = since + minuteMs;
    expect(await list(setting)).toEqual({
      items: [
        { scoutId, ref: "dead", status: "dead", code: "source_forbidden", since, attempts: 1, nextLookAt: null },
        { scoutId, ref: "later", status: "deferred", code: "model_forbidden", since, attempts: 1, nextLookAt },
        { scoutId, ref: "once-more", status: "failed", code: "source_unavailable", since, attempts: 1, nextLookAt },
        { scoutId, ref: "shown", status: "unjudged", code: "model_refused", since, attempts: 0, nextLookAt: null },
      ],
      nextCursor: null,
    });
    expect(refsOf(await list(setting, "status=unjudged"))).toEqual(["shown"]);
  });

  test("come in pages, by scout, and a cursor is good for its own scout only", async () => {
    const setting = await apiSetting();
    const [one, two] = [await setting.scout("One"), await setting.scout("Two")];
    await givenUp(setting, one);
    await givenUp(setting, two);
    const seen: ItemRef[] = [];
    let cursor = "";
    for (;;) {
      const page = await list(setting, `limit=3${cursor}`);
      seen.push(...refsOf(page));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual([
      ...refsOf(await list(setting, `scout=${one}`)),
      ...refsOf(await list(setting, `scout=${two}`)),
    ]);
    expect(seen).toHaveLength(8);

    const { nextCursor } = await list(setting, `scout=${one}&limit=1`);
    const strange = await setting.ask("GET", `${itemsPath}?scout=${two}&cursor=${nextCursor}`);
    expect(strange).toMatchObject({ status: 400, code: "invalid_request" });
  });

  test("that lie behind thousands of judged ones are found by going on", async () => {
    const setting = await apiSetting();
    const scoutId = await setting.scout();
    const judged = { status: "spam", reasonCode: "marketing", confidence: 0.9, sourceType: "gmail" } as const;
    const verdict = { ...judged, model: "m", promptVersion: "p@1", ...tokens };
    for (let number = 1_000; number < 2_100; number += 1) {
      await setting.items.judge({ userId: ada, scoutId, ref: ref(`a${number}`) }, verdict, setting.nowMs);
    }
    await givenUp(setting, scoutId);
    const first = await list(setting, "status=dead");
    expect(first).toMatchObject({ items: [], nextCursor: expect.any(String) });
    expect(refsOf(await list(setting, `status=dead&cursor=${first.nextCursor}`))).toEqual(["dead"]);

    const begun = await redrive(setting, { all: true });
    expect(begun).toMatchObject({ redriven: 0, refused: 0, nextCursor: expect.any(String) });
    expect(await redrive(setting, { all: true, cursor: begun.nextCursor })).toMatchObject({
      redriven: 2,
      nextCursor: null,
    });
  });

  test("are brought back once: asked again, nothing is", async () => {
    const setting = await apiSetting();
    const scoutId = await setting.scout();
    await givenUp(setting, scoutId);
    expect(await redrive(setting, { code: "source_forbidden" })).toEqual({ redriven: 1, refused: 0, nextCursor: null });
    expect(setting.row(scoutId, ref("dead"))).toMatchObject({ status: "deferred", attempts: 0, dueAt: setting.nowMs });
    expect(await redrive(setting, { all: true, scoutId })).toEqual({ redriven: 1, refused: 0, nextCursor: null });
    expect(setting.row(scoutId, ref("shown"))).toMatchObject({ status: "queued", redrivenAt: setting.nowMs });

    // The due cron has queued it: another message would be another attempt.
    const queued = { userId: ada, scoutId, ref: ref("dead"), dueAt: setting.nowMs };
    await setting.items.requeued(queued, setting.nowMs + 15 * minuteMs);
    setting.nowMs += minuteMs;
    expect(await redrive(setting, { all: true })).toMatchObject({ redriven: 0 });
    const refs = ["dead", "shown", "judged", "nowhere"];
    expect(await redrive(setting, { refs })).toEqual({ redriven: 0, refused: 4, nextCursor: null });
  });

  test("one that waits long is looked at now when it is named", async () => {
    const setting = await apiSetting();
    const scoutId = await setting.scout();
    const dueAtMs = setting.nowMs + 60 * minuteMs;
    const why = { status: "deferred", code: "source_quota_spent", sourceType: "gmail", attempts: 0 } as const;
    await setting.items.postpone({ userId: ada, scoutId, ref: ref("w") }, { ...why, nowMs: setting.nowMs, dueAtMs });
    expect(await redrive(setting, { all: true })).toMatchObject({ redriven: 0, refused: 0 });
    expect(await redrive(setting, { refs: ["w"] })).toMatchObject({ redriven: 1, refused: 0 });
    expect(await redrive(setting, { refs: ["w"] })).toMatchObject({ redriven: 0, refused: 1 });
  });

  test("are their owner's: nobody else sees them or brings them back", async () => {
    const setting = await apiSetting();
    const scoutId = await setting.scout();
    await givenUp(setting, scoutId);
    expect((await list(setting, "", "bob")).items).toEqual([]);
    expect(await redrive(setting, { all: true }, "bob")).toMatchObject({ redriven: 0 });
    expect(await redrive(setting, { refs: ["dead"] }, "bob")).toMatchObject({ redriven: 0, refused: 1 });
    const body = { refs: ["dead"], scoutId };
    const refused = { status: 404, code: "scout_not_found" };
    expect(await setting.ask("POST", `${itemsPath}/redrive`, { body, as: "bob" })).toMatchObject(refused);
    expect(await setting.ask("GET", `${itemsPath}?scout=${scoutId}`, { as: "bob" })).toMatchObject(refused);
    expect(setting.row(scoutId, ref("dead"))?.status).toBe("dead");
  });

  test.each([{}, { all: false }, { all: true, code: "reauth" }, { refs: [] }, { code: "nonsense" }])(
    "a request that does not say which is refused: %j",
    async (body) => {
      const setting = await apiSetting();
      const reply = await setting.ask("POST", `${itemsPath}/redrive`, { body });
      expect(reply).toMatchObject({ status: 400, code: "invalid_request" });
    },
  );
});
