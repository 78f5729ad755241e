import { describe, expect, test } from "vitest";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { JudgingCloud } from "./judging-cloud.ts";

/** What of the cloud's own fails, until it is given back. */
const services: readonly [what: string, code: ErrorCode, away: (cloud: JudgingCloud, code: ErrorCode) => () => void][] =
  [
    [
      "the key service",
      "keys_unavailable",
      (cloud, code) => {
        const { vault } = cloud;
        cloud.vault = () => Promise.reject(new ScoutsError(code));
        return () => {
          cloud.vault = vault;
        };
      },
    ],
    [
      "the row of a mailbox's bucket",
      "storage_throttled",
      (cloud, code) => {
        const table = cloud.bucket;
        const update: Table["update"] = () => Promise.reject(new ScoutsError(code));
        cloud.bucket = Object.assign(Object.create(table) as Table, { update });
        return () => {
          cloud.bucket = table;
        };
      },
    ],
    [
      "the row of a source's access",
      "storage_unavailable",
      (cloud, code) => {
        const { read } = cloud;
        cloud.read = () => Promise.reject(new ScoutsError(code));
        return () => {
          cloud.read = read;
        };
      },
    ],
  ];

describe.each(services)("%s is away for minutes", (_, code, away) => {
  test("P2: what arrives is judged when it is back, and shown to nobody before", async () => {
    const cloud = await new JudgingCloud().begin();
    const back = away(cloud, code);
    await cloud.arrive("m1", "m2");
    await cloud.pass(5);
    expect(await cloud.row("m1")).toMatchObject({ status: "failed", code });
    expect(await cloud.tokens()).toEqual({ used: 0, committed: 0, open: 0 });
    back();
    await cloud.pass(20);
    const judged = { status: "queued", reasonCode: "other" };
    expect([await cloud.row("m1"), await cloud.row("m2")]).toMatchObject([judged, judged]);
    expect(cloud.asked.toSorted()).toEqual(["m1", "m2"]);
    expect(await cloud.tokens()).toEqual({ used: 220, committed: 220, open: 0 });
  });
});

describe("the table does not answer when a batch is looked at", () => {
  const awayUntil = (cloud: JudgingCloud, code: ErrorCode, untilMs: number) => {
    const { getMany } = cloud.ledger;
    cloud.ledger.getMany = (keys) =>
      cloud.nowMs < untilMs ? Promise.reject(new ScoutsError(code)) : getMany.call(cloud.ledger, keys);
  };

  test.each(["storage_throttled", "storage_unavailable"] as const)(
    "P2: %s for a moment costs a moment, and not the queue's six minutes",
    async (code) => {
      const cloud = await new JudgingCloud().begin();
      awayUntil(cloud, code, cloud.nowMs + 10_000);
      await cloud.arrive("m1", "m2");
      await cloud.pass(1);
      expect([await cloud.row("m1"), await cloud.row("m2")]).toMatchObject([
        { status: "queued" },
        { status: "queued" },
      ]);
      expect(cloud.asked.toSorted()).toEqual(["m1", "m2"]);
    },
  );

  test("P2: for hours sets nothing aside, and nothing is shown without a verdict", async () => {
    const cloud = await new JudgingCloud().begin();
    awayUntil(cloud, "storage_unavailable", cloud.nowMs + 4 * 3_600_000);
    await cloud.arrive("m1");
    for (let minute = 0; minute < 241; minute += 1) {
      cloud.nowMs += 60_000;
      await cloud.work();
    }
    expect(cloud.triage.deadLength).toBe(0);
    expect(await cloud.row("m1")).toMatchObject({ status: "queued", reasonCode: "other" });
  });

  test("what only its operator can mend comes back from the queue, and ends with them", async () => {
    const cloud = await new JudgingCloud().begin();
    awayUntil(cloud, "configuration_invalid", Number.POSITIVE_INFINITY);
    await expect(cloud.arrive("m1")).rejects.toMatchObject({ code: "configuration_invalid" });
  });
});

test("P2: it does not come back: what can be read is shown without a verdict, with the code", async () => {
  const cloud = await new JudgingCloud().begin();
  cloud.vault = () => Promise.reject(new ScoutsError("keys_unavailable"));
  await cloud.arrive("m1");
  await cloud.pass(60);
  expect(await cloud.row("m1")).toMatchObject({ status: "queued", reasonCode: "unjudged", code: "keys_unavailable" });
});
