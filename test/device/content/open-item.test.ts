import { expect, test } from "vitest";
import { openItem } from "../../../device/connection/content/open-item.ts";
import { systemPorts } from "../../../device/connection/ports.ts";
import { type FakeCloud, makeProposal } from "../fake-cloud.ts";
import { startCloud } from "../setting.ts";
import { cutAll, device, oneSession } from "./setting.ts";

const { id } = makeProposal(1);

function open(cloud: FakeCloud, signal = new AbortController().signal) {
  const api = { apiUrl: cloud.url, auth: async () => "token" };
  return openItem(id, { api, deviceId: device, signal, ports: { ...systemPorts, backoff: { baseMs: 4, capMs: 20 } } });
}

const header = { fields: [{ name: "From", value: "Ada <ada@example.org>" }], leftOut: 2 };

test("a connection that is lost over an item is made again, and the item is asked for again", async () => {
  const cloud = await startCloud();
  oneSession(cloud);
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_item_request") return "default";
    if (cloud.framesOf("scout_item_request").length < 3) cutAll(cloud);
    else {
      const head = { subject: "S", sender: null, inReplyTo: frame.id, proposalId: id, parts: 2 };
      connection.send({ type: "scout_item", ...head, header, part: 1, text: "all " });
      connection.send({ type: "scout_item", ...head, part: 2, text: "of it" });
    }
    return "handled";
  };
  expect(await open(cloud)).toEqual({
    proposalId: id,
    subject: "S",
    sender: null,
    header,
    text: "all of it",
    machine: { calendars: [], linkedData: [] },
  });
  expect(cloud.framesOf("hello")).toHaveLength(3);
  await cloud.until(() => cloud.connections.size === 0);
  expect(cloud.framesOf("bye")).toEqual([]);
});

test("a refusal is the person's at once", async () => {
  const cloud = await startCloud();
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_item_request") return "default";
    connection.send({ type: "error", code: "source_rate_limited", message: "", inReplyTo: frame.id });
    return "handled";
  };
  await expect(open(cloud)).rejects.toMatchObject({ code: "source_rate_limited" });
  expect(cloud.framesOf("scout_item_request")).toHaveLength(1);
});

test("a person who does not want it any more gets an end", async () => {
  const cloud = await startCloud();
  cloud.onFrame = (frame) => (frame.type === "scout_item_request" ? "handled" : "default");
  const abort = new AbortController();
  const opened = expect(open(cloud, abort.signal)).rejects.toMatchObject({ code: "device_closed" });
  await cloud.until(() => cloud.framesOf("scout_item_request").length === 1);
  abort.abort();
  await opened;
});
