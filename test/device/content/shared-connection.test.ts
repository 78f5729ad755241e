import { once } from "node:events";
import { expect, test } from "vitest";
import { DeviceError } from "../../../device/errors.ts";
import { makeProposal } from "../fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "../setting.ts";
import { cutAll, oneSession, run, sessionNumber } from "./setting.ts";

const cancel = { type: "agent_cancel", runId: run } as const;

/** A device that is connected, and a cloud that accepts what is said of content. */
async function connected(store = temporaryStore()) {
  const cloud = await startCloud();
  oneSession(cloud);
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "agent_cancel") return "default";
    connection.send({ type: "accepted", inReplyTo: frame.id });
    return "handled";
  };
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  return { cloud, store, device };
}

test("a device's work on content goes over its one connection, beside its proposals", async () => {
  const { cloud, device } = await connected();
  const content = device.openContent();
  expect(await content.ready()).toBe(sessionNumber(1));
  await content.send(cancel);
  cloud.push({ type: "scout_proposal", proposal: makeProposal(1) });
  await cloud.until(() => cloud.ackedBy.size === 1);
  expect(cloud.framesOf("hello")).toHaveLength(1);

  await content.close();
  await expect(content.send(cancel)).rejects.toMatchObject({ code: "device_closed" });
  expect(device.state).toBe("ready");
});

test("P2: both go on over the next connection", async () => {
  const { cloud, device } = await connected();
  const content = device.openContent();
  let cuts = 0;
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "agent_cancel") return "default";
    cuts += 1;
    if (cuts === 1) cutAll(cloud);
    else connection.send({ type: "accepted", inReplyTo: frame.id });
    return "handled";
  };
  cloud.proposals.push(makeProposal(1));
  await content.send(cancel);
  await cloud.until(() => cloud.ackedBy.size === 1);
  expect(cloud.framesOf("hello")).toHaveLength(2);
  expect(new Set(cloud.framesOf("agent_cancel").map(({ id }) => id)).size).toBe(1);
});

test("a store that fails costs the connection, and no answer to what is under way", async () => {
  const real = temporaryStore();
  let isFull = false;
  const add: typeof real.proposals.add = (proposals) => {
    if (isFull) throw new DeviceError("store_full");
    return real.proposals.add(proposals);
  };
  const { cloud, device } = await connected({ ...real, proposals: { ...real.proposals, add } });
  const content = device.openContent();
  await content.ready();
  isFull = true;
  const problem = once(device.events, "problem");
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "agent_cancel") return "default";
    // They come in one turn of the event loop, and are applied together.
    connection.send({ type: "accepted", inReplyTo: frame.id });
    connection.send({ type: "scout_proposal", proposal: makeProposal(1) });
    return "handled";
  };
  const sent = content.send(cancel);
  expect(await problem).toMatchObject([{ code: "store_full" }]);
  isFull = false;
  await sent;
  await cloud.until(() => cloud.framesOf("hello").length === 2);
});

test("a device that is closed ends the work on content with it", async () => {
  const { cloud, device } = await connected();
  const content = device.openContent();
  cloud.onFrame = (frame) => (frame.type === "agent_cancel" ? "handled" : "default");
  const sent = expect(content.send(cancel)).rejects.toMatchObject({ code: "device_closed" });
  await cloud.until(() => cloud.framesOf("agent_cancel").length === 1);
  await device.close({ keepSession: true });
  await sent;
});
