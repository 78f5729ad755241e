import { ulid } from "ulidx";
import { afterEach, describe, expect, test } from "vitest";
import { trialResponse } from "../../events/http/trials.ts";
import type { ScoutId } from "../../events/ids.ts";
import { cleanUp } from "../standins/mailbox-fixture.ts";
import { relevant, spam } from "../unit/scouts/setting.ts";
import { type ApiSetting, ada, apiSetting, ref } from "./setting.ts";

afterEach(cleanUp);

const at = (scout: ScoutId, more = "") => `/api/v1/scouts/${scout}/trials${more}`;
const wanted = (more: object = {}) => ({ trialId: `trl_${ulid()}`, purpose: "Owls", ...more });

/** A connected scout with two verdicts. */
async function judgedScout(setting: ApiSetting): Promise<ScoutId> {
  const scoutId = await setting.scout();
  await setting.connect(scoutId);
  for (const [name, verdict] of [
    ["a", relevant],
    ["b", spam],
  ] as const) {
    await setting.items.judge({ userId: ada, scoutId, ref: ref(name) }, verdict, setting.nowMs);
  }
  return scoutId;
}

describe("a trial over HTTP", () => {
  test("queues the newest verdicts with ids alone, and says how it stands", async () => {
    const setting = await apiSetting();
    const scout = await judgedScout(setting);
    const body = wanted();
    const begun = await setting.ask("POST", at(scout), { body });
    expect(begun.status).toBe(202);
    expect(trialResponse.parse(begun.body)).toMatchObject({ id: body.trialId, status: "running", total: 2, judged: 0 });
    expect(setting.trials.sent.map(({ body: message, source }) => [message.ref, source])).toEqual([
      ["a", "gmail"],
      ["b", "gmail"],
    ]);
    expect(JSON.stringify([setting.trials.sent, setting.sessions.dump(), setting.logged])).not.toContain("Owls");
    const { body: shown } = await setting.ask("GET", at(scout, `/${body.trialId}`));
    expect(trialResponse.parse(shown)).toMatchObject({ status: "running", items: [{ after: null }, { after: null }] });
  });

  test("asked for again under its id it is the same, and nothing is queued again", async () => {
    const setting = await apiSetting();
    const scout = await judgedScout(setting);
    const body = wanted();
    await setting.ask("POST", at(scout), { body });
    expect((await setting.ask("POST", at(scout), { body })).status).toBe(202);
    expect(setting.trials.sent).toHaveLength(2);
  });

  test("is nobody else's, and no other scout's", async () => {
    const setting = await apiSetting();
    const scout = await judgedScout(setting);
    const body = wanted();
    await setting.ask("POST", at(scout), { body });
    const other = await setting.scout("Another");
    expect(await setting.ask("GET", at(other, `/${body.trialId}`))).toMatchObject({ code: "trial_unknown" });
    expect(await setting.ask("GET", at(scout, `/${body.trialId}`), { as: "bob" })).toMatchObject({
      code: "scout_not_found",
    });
    expect(await setting.ask("GET", at(scout, "/trl_1"))).toMatchObject({ status: 404, code: "trial_unknown" });
  });

  test.each([
    ["a purpose that is too long", { purpose: "x".repeat(501) }, "purpose"],
    ["more items than a trial has", { last: 51 }, "last"],
    ["an id of another kind", { trialId: `run_${ulid()}` }, "trialId"],
  ])("%s is refused by its field, and nothing is kept", async (_, more, where) => {
    const setting = await apiSetting();
    const scout = await judgedScout(setting);
    const reply = await setting.ask("POST", at(scout), { body: wanted(more) });
    expect(reply).toMatchObject({ status: 400, code: "invalid_request", body: { error: { data: { where } } } });
    expect(setting.trials.sent).toEqual([]);
  });

  test("goes with its scout when that is removed", async () => {
    const setting = await apiSetting();
    const scout = await judgedScout(setting);
    const { trialId } = wanted();
    await setting.ask("POST", at(scout), { body: wanted({ trialId }) });
    expect(JSON.stringify(setting.sessions.dump())).toContain(trialId);
    expect((await setting.ask("DELETE", `/api/v1/scouts/${scout}`)).status).toBe(204);
    expect(JSON.stringify(setting.sessions.dump())).not.toContain(trialId);
  });
});
