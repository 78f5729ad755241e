import { expect, test } from "vitest";
import type { ItemPart } from "../../../events/frames/items.ts";
import type { ProposalId } from "../../../events/ids.ts";
import { type FakeCloud, makeProposal } from "../fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "../setting.ts";

const ids = (count: number): ProposalId[] => Array.from({ length: count }, (_, n) => makeProposal(n).id);
const partOf = (proposalId: ProposalId, part = 1, parts = 1): ItemPart => ({
  proposalId,
  subject: null,
  sender: null,
  part,
  parts,
  text: `${part} of ${proposalId}`,
});

async function readyDevice(cloud: FakeCloud) {
  const device = deviceOn(cloud, temporaryStore());
  device.connect();
  await device.settled();
  return (id: ProposalId) => device.requestItem(id, { isWaitedFor: false });
}

test("items nobody waits for share frames, and each is there when all its parts are", async () => {
  const cloud = await startCloud();
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_items_request") return "default";
    const head = { type: "scout_items" as const, inReplyTo: frame.id, refused: [] };
    const [first, ...others] = frame.proposalIds;
    if (first === undefined) return "handled";
    connection.send({ ...head, parts: [partOf(first, 2, 2)] });
    connection.send({ ...head, parts: [...others.map((id) => partOf(id)), partOf(first, 1, 2)] });
    return "handled";
  };
  const read = await readyDevice(cloud);
  const asked = ids(12);
  const items = await Promise.all(asked.map(read));
  expect(items.map(({ proposalId }) => proposalId)).toEqual(asked);
  expect(items[0]?.text).toBe(`1 of ${asked[0]}2 of ${asked[0]}`);
  expect(cloud.framesOf("scout_items_request").map(({ proposalIds }) => proposalIds)).toEqual([
    asked.slice(0, 8),
    asked.slice(8),
  ]);
});

test("an item that is refused keeps nothing from those it shares a frame with", async () => {
  const cloud = await startCloud();
  const [gone, there] = ids(2);
  if (gone === undefined || there === undefined) throw new Error("two are made");
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_items_request") return "default";
    const refused = [{ proposalId: gone, code: "item_gone" as const }];
    connection.send({ type: "scout_items", inReplyTo: frame.id, parts: [], refused });
    connection.send({ type: "scout_items", inReplyTo: frame.id, parts: [partOf(there)], refused: [] });
    return "handled";
  };
  const read = await readyDevice(cloud);
  const reads = await Promise.allSettled([gone, there].map(read));
  expect(reads).toMatchObject([
    { status: "rejected", reason: { code: "item_gone" } },
    { status: "fulfilled", value: { text: `1 of ${there}` } },
  ]);
});

test("a frame that is refused, or a connection that is lost, is the failure of all its items", async () => {
  const cloud = await startCloud();
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_items_request") return "default";
    if (cloud.framesOf("scout_items_request").length > 1) connection.cut();
    else connection.send({ type: "error", code: "storage_throttled", message: "", inReplyTo: frame.id });
    return "handled";
  };
  const read = await readyDevice(cloud);
  for (const code of ["storage_throttled", "connection_lost"]) {
    const failure = { status: "rejected", reason: { code } };
    expect(await Promise.allSettled(ids(2).map(read))).toMatchObject([failure, failure]);
  }
});

test("a cloud that tells no limit is asked for one item a frame", async () => {
  const cloud = await startCloud();
  const { itemsPerFrame: _, ...limits } = cloud.limits;
  cloud.limits = limits;
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_item_request") return "default";
    connection.send({ type: "scout_item", inReplyTo: frame.id, ...partOf(frame.proposalId) });
    return "handled";
  };
  const read = await readyDevice(cloud);
  const asked = ids(3);
  expect((await Promise.all(asked.map(read))).map(({ proposalId }) => proposalId)).toEqual(asked);
  expect(cloud.framesOf("scout_item_request")).toMatchObject(
    asked.map((proposalId) => ({ proposalId, background: true })),
  );
});
