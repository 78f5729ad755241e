import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import { frameRate } from "../../shared/devices/frame-limit.ts";
import { issueTicket } from "../../shared/devices/ticket.ts";
import { sessionsKey } from "../../shared/keys.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { newId } from "../memory/chance.ts";
import { quick } from "../rounds.ts";
import { type DeliveryHome, type Person, startDeliveryHome } from "./home.ts";
import { newDeviceId, newFrameId, RawDevice, ticketedAddress } from "./raw-device.ts";

const startMs = 240_000;
let home: DeliveryHome;
let bob: Person;
let bystander: RawDevice;
let device: RawDevice;
let theirs: string;
let refusals: string[];

/** One home for the table: what a case leaves behind is a defect that another case may find. */
beforeAll(async () => {
  home = await startDeliveryHome({
    onLog(functionName, text) {
      if (functionName !== "SocketRouteDefault") return;
      for (const [, refusal] of text.matchAll(/"code":"frame_refused","refusal":"(\w+)"/g))
        refusals.push(refusal ?? "");
    },
  });
  refusals = [];
  bob = await home.person("bob");
  const refs = home.deliver(1);
  await home.propose(bob, refs);
  theirs = `${bob.scoutId}.${refs[0]}`;
  bystander = await RawDevice.ready(bob.api);
  device = await RawDevice.ready(home.owner.api);
}, startMs);
afterAll(() => home.close(), startMs);
beforeEach(() => {
  refusals = [];
});

/** Whoever else is connected is served as ever. */
const othersAreServed = () => bystander.ask("pong", { type: "ping" });
const unknownProposal = () => `${home.owner.scoutId}.no-such-message`;
const frame = (fields: object) => JSON.stringify({ id: newFrameId(), ...fields });

const texts: readonly [name: string, text: () => string, code: ErrorCode][] = [
  ["nothing", () => "", "unknown_frame"],
  ["no JSON", () => "{", "unknown_frame"],
  ["a BOM before JSON", () => `\ufeff${frame({ type: "ping" })}`, "unknown_frame"],
  ["null", () => "null", "unknown_frame"],
  ["a list", () => "[]", "unknown_frame"],
  ["a text", () => '"ping"', "unknown_frame"],
  ["a number beyond numbers", () => "1e999", "unknown_frame"],
  ["no type", () => frame({}), "unknown_frame"],
  ["a type nobody knows", () => frame({ type: "frob" }), "unknown_frame"],
  ["a type that is an object", () => frame({ type: { toString: "ping" } }), "unknown_frame"],
  ["the type __proto__", () => frame({ type: "__proto__" }), "unknown_frame"],
  ["the type constructor", () => frame({ type: "constructor" }), "unknown_frame"],
  ["a type that only the prototype has", () => '{"__proto__":{"type":"ping"}}', "unknown_frame"],
  ["a frame the cloud sends", () => frame({ type: "accepted", inReplyTo: newFrameId() }), "unknown_frame"],
  ["no id", () => '{"type":"ping"}', "invalid_frame"],
  ["an id of another kind", () => '{"type":"ping","id":"sct_01KE5Q8600ESE4NYY1EVXDNQEA"}', "invalid_frame"],
  ["an id that is a number", () => '{"type":"ping","id":1}', "invalid_frame"],
  ["a page of nothing", () => frame({ type: "proposals_pull", limit: 0 }), "invalid_frame"],
  ["a page too long", () => frame({ type: "proposals_pull", limit: 51 }), "invalid_frame"],
  ["a limit that is a text", () => frame({ type: "proposals_pull", limit: "50" }), "invalid_frame"],
  ["half a page", () => frame({ type: "proposals_pull", limit: 1.5 }), "invalid_frame"],
  [
    "a cursor of odd characters",
    () => frame({ type: "proposals_pull", limit: 1, after: "a b\u0000" }),
    "invalid_frame",
  ],
  ["an ack of nothing", () => frame({ type: "scout_proposal_ack" }), "invalid_frame"],
  ["an ack of a path", () => frame({ type: "scout_proposal_ack", proposalId: "../../etc" }), "invalid_frame"],
  ["acks of no proposal", () => frame({ type: "scout_proposals_ack", proposalIds: [] }), "invalid_frame"],
  [
    "more acks than a frame may have",
    () => frame({ type: "scout_proposals_ack", proposalIds: Array(51).fill(theirs) }),
    "invalid_frame",
  ],
  [
    "an ack of a path among others",
    () => frame({ type: "scout_proposals_ack", proposalIds: [unknownProposal(), "../../etc"] }),
    "invalid_frame",
  ],
  [
    "acks of another person's proposal and of one that is none",
    () => frame({ type: "scout_proposals_ack", proposalIds: [theirs, unknownProposal()] }),
    "proposal_not_found",
  ],
  [
    "an outcome that is none",
    () => frame({ type: "scout_proposal_resolved", proposalId: theirs, outcome: "deleted" }),
    "invalid_frame",
  ],
  ["a hello without a device", () => frame({ type: "hello", protocol: 1 }), "invalid_frame"],
  ["another version", () => frame({ type: "hello", protocol: 2, deviceId: newDeviceId() }), "protocol_unsupported"],
  ["another device's hello", () => frame({ type: "hello", protocol: 1, deviceId: newDeviceId() }), "forbidden"],
  ["lists in lists", () => `{"type":"ping","id":${"[".repeat(15_000)}${"]".repeat(15_000)}}`, "invalid_frame"],
  [
    "an ack of an unknown proposal",
    () => frame({ type: "scout_proposal_ack", proposalId: unknownProposal() }),
    "proposal_not_found",
  ],
  [
    "an ack of another person's proposal",
    () => frame({ type: "scout_proposal_ack", proposalId: theirs }),
    "proposal_not_found",
  ],
  [
    "a decision on another person's proposal",
    () => frame({ type: "scout_proposal_resolved", proposalId: theirs, outcome: "rejected" }),
    "scout_not_found",
  ],
  [
    "a look into another person's mail",
    () => frame({ type: "scout_item_request", proposalId: theirs }),
    "proposal_not_found",
  ],
  [
    "a user in the frame",
    () => frame({ type: "scout_proposal_ack", proposalId: theirs, userId: bob.userId, user: bob.userId }),
    "proposal_not_found",
  ],
];

/** Every third in a short run, and one of each code: what a frame may be is one schema, and test/socket/fuzz tries it at random. */
const tried = texts.filter(
  ([, , code], at) => !quick || at % 3 === 0 || texts.findIndex((each) => each[2] === code) === at,
);

describe("a text that cannot be taken is answered by its code, logged once, changes nothing and slows nobody", () => {
  test.each(tried)("%s", async (_, text, code) => {
    const before = await home.rows();
    const answer = device.next(() => true);
    device.sendText(text());
    expect(await answer).toMatchObject({ type: "error", code });
    await device.ask("pong", { type: "ping" });
    await othersAreServed();

    expect(await home.rows()).toEqual(before);
    expect(refusals).toEqual([code]);
  });

  test("keys that would pollute a prototype are passed over", async () => {
    const id = newFrameId();
    const answer = device.next(() => true);
    device.sendText(
      `{"type":"ping","id":"${id}","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`,
    );
    expect(await answer).toEqual({ type: "pong", inReplyTo: id });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("a binary message is no frame", async () => {
    const answer = device.next(() => true);
    device.sendBytes(Buffer.from(frame({ type: "ping" })));
    expect(await answer).toMatchObject({ type: "error", code: "unknown_frame" });
  });
});

describe("size", () => {
  const padded = (bytes: number) => {
    const start = `{"type":"ping","id":"${newFrameId()}","padding":"`;
    return `${start}${"x".repeat(bytes - start.length - 2)}"}`;
  };

  test("a message of 128 KB in frames of 32 KB is taken", async () => {
    const answer = device.next(() => true);
    device.sendFragmented(padded(socketLimits.messageBytes), socketLimits.frameBytes);
    expect(await answer).toMatchObject({ type: "pong" });
  });

  test.each([
    ["a frame", socketLimits.frameBytes + 1, socketLimits.frameBytes + 1],
    ["a message", socketLimits.messageBytes + 1, socketLimits.frameBytes],
  ])("%s that is one byte too long closes its connection with 1009 and no other", async (_, bytes, frameBytes) => {
    const large = await RawDevice.ready(home.owner.api);
    const before = large.heard.length;
    large.sendFragmented(padded(bytes), frameBytes);
    expect(await large.closed).toBe(1009);
    expect(large.heard).toHaveLength(before);
    await othersAreServed();
    await device.ask("pong", { type: "ping" });
  });
});

describe("tickets", () => {
  const key = () => Buffer.from(home.system.world.secrets["TicketKey"] ?? "", "base64");
  const withTicket = (ticket: string) =>
    RawDevice.on(`${home.system.home.socketUrl}?ticket=${encodeURIComponent(ticket)}`);
  const holder = () => ({ userId: home.owner.userId, deviceId: newDeviceId() });

  test.each([
    ["no ticket at all", async () => "a.b.c"],
    ["an expired one", () => issueTicket(key(), holder(), () => Date.now() - 60_000, newId)],
    ["one signed by somebody else", () => issueTicket(new Uint8Array(32), holder(), Date.now, newId)],
    ["a token of the API", () => home.owner.api.auth()],
  ])("%s: 403, no function fails, and nothing is written", async (_, ticket) => {
    const before = await home.rows();
    await expect(withTicket(await ticket())).rejects.toThrow("refused 403");
    expect(await home.rows()).toEqual(before);
  });

  test("none: 401, and no function is asked", async () => {
    await expect(withTicket("")).rejects.toThrow("refused 401");
  });

  test("one that is used again: 403, and the first connection stays", async () => {
    const address = await ticketedAddress(home.owner.api, newDeviceId());
    const first = await RawDevice.on(address);
    await expect(RawDevice.on(address)).rejects.toThrow("refused 403");
    await first.ask("pong", { type: "ping" });
    await first.close();
    await expect(RawDevice.on(address)).rejects.toThrow("refused 403");
  });

  test("one for several connections at once lets one in", async () => {
    const address = await ticketedAddress(home.owner.api, newDeviceId());
    const tries = await Promise.allSettled([1, 2, 3, 4].map(() => RawDevice.on(address)));
    const open = tries.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
    expect(open).toHaveLength(1);
    for (const each of open) await each.close();
  });
});

test("D9: a connection that has not said hello is told no proposal and no item", async () => {
  const silent = await RawDevice.open(home.owner.api);
  const proposalId = `${home.owner.scoutId}.unknown`;
  for (const frame of [
    { type: "proposals_pull", limit: 50 },
    { type: "scout_item_request", proposalId },
  ] as const) {
    silent.say(frame);
    expect(await silent.next(({ type }) => type === "error")).toMatchObject({ code: "session_unknown" });
  }
  await silent.close();
});

test("too many frames: the connection is told rate_limited and closed, and so is the next; others are served", async () => {
  const carol = { ...home.owner.api, auth: () => home.system.world.issuer.token("carol") };
  const key = sessionsKey.rate(userIdOf(home.system.world.issuer.url, "carol"), "frames");
  const before = await home.rows();
  // As if these had just been sent: sending them by the thousand is the unit test's.
  const fullAt = Date.now() + 2 * frameRate.burst * frameRate.everyMs;
  await home.sessions.update(key, { set: [[["fullAt"], fullAt]] });
  for (const _ of [1, 2]) {
    const flooding = await RawDevice.open(carol);
    for (let cut = false; !cut; ) {
      cut = await flooding.ask("pong", { type: "ping" }).then(
        () => false,
        () => true,
      );
    }
    expect(await flooding.closed).toBe(1000);
    expect(flooding.heard.at(-1)).toMatchObject({ type: "error", code: "rate_limited" });
    expect(flooding.heard.slice(0, -1).every(({ type }) => type === "pong")).toBe(true);
  }
  await othersAreServed();
  expect(await home.rows()).toEqual(before);
});

test.skipIf(quick)(
  "a client that never reads is given up on; what is posted to others, also to the same person's devices, comes",
  async () => {
    const [ref] = home.deliver(1, 1_000_000);
    await home.propose(home.owner, ref ? [ref] : []);
    const deaf = await RawDevice.ready(home.owner.api);
    const other = await RawDevice.ready(home.owner.api);
    const proposalId = `${home.owner.scoutId}.${ref}`;
    deaf.stopReading();
    // Twenty megabytes in answers; what a kernel and the gateway hold for one client is less.
    for (let times = 0; times < 20; times += 1) deaf.say({ type: "scout_item_request", proposalId });
    const closing = other.next(({ type }) => type === "scout_proposal_closed");
    const pages = Array.from({ length: 20 }, () => other.ask("proposals_page", { type: "proposals_pull", limit: 50 }));
    await Promise.all([...pages, ...Array.from({ length: 20 }, othersAreServed)]);
    const third = await RawDevice.ready(home.owner.api);
    await third.ask("accepted", { type: "scout_proposal_resolved", proposalId, outcome: "rejected" });
    expect(await closing).toMatchObject({ proposalId, reason: "resolved_elsewhere" });
    deaf.terminate();
    for (const each of [other, third]) await each.close();
  },
  startMs,
);
