import { expect, test } from "vitest";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { ItemMetadata, ScoutAtSource, SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { type ItemRow, itemRow } from "../../../shared/scouts/items/item-row.ts";
import { readMetadata } from "../../../shared/scouts/items/read-metadata.ts";
import { ada, inbox, item } from "../scouts/setting.ts";

const rows: readonly ItemRow[] = ["m1", "m2"].map((ref) =>
  itemRow.parse({ ...item(ref), sourceType: "inbox", status: "queued" }),
);
const text = new Transient("t");
const metadata: ItemMetadata = {
  subject: text,
  sender: new Transient({ name: "t", address: "" }),
  snippet: text,
  receivedAtMs: 0,
  present: true,
  relation: "unknown",
  automatic: false,
};

/** What a source is asked as. */
async function askedAs(scouts: readonly ScoutAtSource[], batches: boolean): Promise<ScoutAtSource[]> {
  const asked: ScoutAtSource[] = [];
  const one = {
    sourceType: "inbox",
    fetchMetadata: async (scout: ScoutAtSource) => {
      asked.push(scout);
      return metadata;
    },
  };
  const many = {
    fetchMetadataMany: async (scout: ScoutAtSource, refs: readonly string[]) => {
      asked.push(scout);
      return refs.map(() => metadata);
    },
  };
  const source = { ...one, ...(batches ? many : {}) } as unknown as SourceConnector;
  const read = await readMetadata(
    new Map([["inbox", source]]),
    new Map(scouts.map((each) => [each.scoutId, each])),
    rows,
    1,
  );
  expect([...read.values()]).toEqual([metadata, metadata]);
  return asked;
}

test.each([
  ["one by one", false, 2],
  ["in a batch", true, 1],
])("items read %s are asked for at the address their scout is connected to by now", async (_, batches, times) => {
  const scout = { userId: ada, scoutId: inbox, address: "there", formerAddress: "elsewhere" };
  expect(await askedAs([scout], batches)).toEqual(Array(times).fill(scout));
});

test("items whose scout is gone are asked for all the same: the source says what is wrong", async () => {
  expect(await askedAs([], true)).toEqual([rows[0]]);
});
