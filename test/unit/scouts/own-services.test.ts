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

test("P2: it does not come back: what can be read is shown without a verdict, with the code", async () => {
  const cloud = await new JudgingCloud().begin();
  cloud.vault = () => Promise.reject(new ScoutsError("keys_unavailable"));
  await cloud.arrive("m1");
  await cloud.pass(60);
  expect(await cloud.row("m1")).toMatchObject({ status: "queued", reasonCode: "unjudged", code: "keys_unavailable" });
});
