import * as fc from "fast-check";
import { ulid } from "ulidx";
import { expect, test } from "vitest";
import type { ServerFrame } from "../../events/frames/frames.ts";
import {
  type DeviceId,
  deviceId,
  type FrameId,
  frameId,
  type ScoutId,
  scoutId,
  type UserId,
} from "../../events/ids.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { answerFrame } from "../../shared/devices/frames/answer.ts";
import type { Connections } from "../../shared/ports/connections.ts";
import type { Table } from "../../shared/ports/table.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import type { ItemRow } from "../../shared/scouts/items/item-row.ts";
import { ref, relevant } from "../unit/scouts/setting.ts";
import { type From, itemOf, MemoryCloud } from "./cloud.ts";

const people = 3;
const devices = 2;
const sockets = 4;
const users: readonly UserId[] = Array.from({ length: people }, (_, n) => userIdOf("https://issuer.example/", `p${n}`));
const scouts: readonly ScoutId[] = users.map(() => scoutId.parse(`sct_${ulid()}`));
const machines = Array.from({ length: people * devices }, () => deviceId.parse(`dev_${ulid()}`));

type Step =
  | { do: "open"; person: number; device: number; socket: number }
  | { do: "close"; socket: number; lost: boolean }
  | { do: "judge"; person: number; with: number }
  | { do: "again"; person: number }
  | {
      do: "say";
      socket: number;
      what: "hello" | "pull" | "ack" | "acks" | "resolve" | "request" | "requests" | "check" | "bye" | "junk";
      item: number;
    };

const person = fc.nat(people - 1);
const socket = fc.nat(sockets - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({ do: fc.constant("open" as const), person, device: fc.nat(devices - 1), socket }),
    weight: 3,
  },
  { arbitrary: fc.record({ do: fc.constant("close" as const), socket, lost: fc.boolean() }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("judge" as const), person, with: person }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant("again" as const), person }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant("say" as const),
      socket,
      what: fc.constantFrom(
        "hello",
        "hello",
        "pull",
        "ack",
        "acks",
        "resolve",
        "request",
        "requests",
        "check",
        "bye",
        "junk",
      ),
      item: fc.nat(20),
    }),
    weight: 6,
  },
);
/** Steps of a round run side by side; between rounds everything that was begun has ended. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 });

/** A table whose every operation waits for its turn. */
function taking(turns: fc.Scheduler, table: Table): Table {
  const turn = async <T>(name: string, work: () => Promise<T>) => {
    await turns.schedule(Promise.resolve(), name);
    return work();
  };
  return {
    get: (key) => turn("get", () => table.get(key)),
    getMany: (keys) => turn("getMany", () => table.getMany(keys)),
    put: (item, when) => turn("put", () => table.put(item, when)),
    update: (key, change, when) => turn("update", () => table.update(key, change, when)),
    delete: (key, when) => turn("delete", () => table.delete(key, when)),
    query: (query) => turn("query", () => table.query(query)),
  };
}

/** A gateway that knows whose each socket is at the moment of each post, and what came to whom. */
class Ward {
  readonly holders = new Map<string, From>();
  readonly asked = new Map<FrameId, From>();
  readonly keys = new Map<string, string>();
  /** Connections and the proposals they asked about, whosever those are. */
  readonly inquired = new Set<string>();
  readonly strayed: string[] = [];
  delivered = 0;

  connections(turns: fc.Scheduler): Connections {
    return {
      post: async (connectionId, frame) => {
        await turns.schedule(Promise.resolve(), "post");
        const holder = this.holders.get(connectionId);
        if (!holder) return "gone";
        if (!this.#isFor(holder, frame)) this.strayed.push(`${frame.type} to ${holder.userId}`);
        if (frame.type === "scout_proposal") this.delivered += 1;
        return "sent";
      },
      close: async (connectionId) => void this.holders.delete(connectionId),
    };
  }

  #isFor(holder: From, frame: ServerFrame): boolean {
    const own = scouts[users.indexOf(holder.userId)];
    const asker = "inReplyTo" in frame && frame.inReplyTo !== undefined ? this.asked.get(frame.inReplyTo) : undefined;
    if (asker && (asker.userId !== holder.userId || asker.connectionId !== holder.connectionId)) return false;
    switch (frame.type) {
      case "scout_proposal":
        return frame.proposal.scoutId === own && isOnlyOf(holder.userId, frame.proposal);
      case "scout_proposal_closed":
        // To somebody else's question another person's proposal is as good as forgotten.
        if (frame.reason === "gone" && this.inquired.has(`${holder.connectionId} ${frame.proposalId}`)) return true;
        return frame.proposalId.startsWith(`${own}.`);
      case "scout_item":
        return frame.proposalId.startsWith(`${own}.`) && frame.text.endsWith(holder.userId);
      case "scout_items":
        return frame.parts.every((part) => part.proposalId.startsWith(`${own}.`) && part.text.endsWith(holder.userId));
      case "session_ready": {
        const device = `${holder.userId}/${holder.deviceId}`;
        const before = this.keys.get(frame.sessionKey) ?? device;
        this.keys.set(frame.sessionKey, device);
        return before === device;
      }
      default:
        return true;
    }
  }
}

/** Every text of a proposal ends with whose it is, where the proposal has any. */
function isOnlyOf(owner: UserId, { rawSubject, rawSnippet, reason, metadata }: Proposal): boolean {
  const { sender, listId, sourceLink, attachments = [] } = metadata ?? {};
  const texts = [rawSubject, rawSnippet, reason, sender?.name, sender?.address, listId, sourceLink];
  return [...texts, ...attachments.map(({ name }) => name)].every((text) => (text ?? owner).endsWith(owner));
}

async function strayedIn(
  turns: fc.Scheduler,
  all: readonly (readonly Step[])[],
  broken: (table: Table) => Table = (table) => table,
): Promise<{ strayed: readonly string[]; delivered: number }> {
  const ward = new Ward();
  const cloud = new MemoryCloud(() => 1, {
    table: (table) => taking(turns, broken(table)),
    sockets: ward.connections(turns),
  });
  const judged: ItemRow[] = [];
  const judge = async (who: number) => {
    const [userId, id] = [users[who], scouts[who]];
    if (!userId || !id) return [];
    const row = await cloud.items.judge({ userId, scoutId: id, ref: ref(`m${judged.length}`) }, relevant, cloud.nowMs);
    if (!row) return [];
    judged.push(row);
    return [{ row, item: itemOf(`m${judged.length}`, userId), reason: new Transient(`reason of ${userId}`) }];
  };
  const proposalIdOf = (item: number) => {
    const row = judged[item % Math.max(1, judged.length)];
    return row ? `${row.scoutId}.${row.ref}` : `${scouts[0]}.none`;
  };
  const say = (from: From, what: string, item: number) => {
    const id = frameId.parse(`frm_${ulid()}`);
    ward.asked.set(id, from);
    if (what === "check") ward.inquired.add(`${from.connectionId} ${proposalIdOf(item)}`);
    const proposalId = proposalIdOf(item);
    const frames: Record<string, object> = {
      hello: { type: "hello", protocol: 1, deviceId: from.deviceId },
      pull: { type: "proposals_pull", limit: 50 },
      ack: { type: "scout_proposal_ack", proposalId },
      acks: { type: "scout_proposals_ack", proposalIds: [proposalId, proposalIdOf(item + 1)] },
      resolve: { type: "scout_proposal_resolved", proposalId, outcome: "approved" },
      request: { type: "scout_item_request", proposalId },
      requests: { type: "scout_items_request", proposalIds: [proposalId, proposalIdOf(item + 1)] },
      check: { type: "proposals_check", proposalIds: [proposalId] },
      bye: { type: "bye" },
    };
    return answerFrame(cloud.ports, from, JSON.stringify({ id, ...frames[what] }));
  };
  const usedBy = new Map<string, DeviceId>();
  const run = async (each: Step): Promise<unknown> => {
    const connectionId = `c${"socket" in each ? each.socket : ""}`;
    switch (each.do) {
      case "open": {
        const [userId, device] = [users[each.person], machines[each.person * devices + each.device]];
        const passes = (usedBy.get(connectionId) ?? device) === device;
        if (userId && device && passes && !ward.holders.has(connectionId)) {
          usedBy.set(connectionId, device);
          ward.holders.set(connectionId, { userId, deviceId: device, connectionId });
        }
        return;
      }
      case "close": {
        const holder = ward.holders.get(connectionId);
        ward.holders.delete(connectionId);
        return holder && !each.lost ? cloud.connections.remove(holder.userId, connectionId) : undefined;
      }
      case "judge":
        return cloud.delivery.sendFresh((await Promise.all([judge(each.person), judge(each.with)])).flat());
      case "again":
        return cloud.delivery.sendAgain(judged.filter(({ userId }) => userId === users[each.person]));
      case "say": {
        const from = ward.holders.get(connectionId);
        return from && say(from, each.what, each.item);
      }
    }
  };
  for (const round of all) {
    const begun = round.map(run);
    await turns.waitFor(Promise.allSettled(begun));
    cloud.nowMs += 1_000;
    for (const id of usedBy.keys()) if (!ward.holders.has(id) && isForgotten(cloud, id)) usedBy.delete(id);
  }
  return { strayed: ward.strayed, delivered: ward.delivered };
}

/**
 * API Gateway's ids are unique; here they are few, and pass to anybody once what was begun on a connection has ended and
 * its row is gone (it was closed, or answered 410). An id whose end nobody noticed stays with its device.
 */
function isForgotten(cloud: MemoryCloud, connectionId: string): boolean {
  return cloud.sessions.dump().every(({ sk }) => sk !== `CONN#${connectionId}`);
}

test("a person's devices never get another person's frame, however connections come, go, and are used again", async () => {
  let delivered = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), rounds, async (turns, all) => {
      const ended = await strayedIn(turns, all);
      delivered += ended.delivered;
      expect(ended.strayed).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
  expect(delivered).toBeGreaterThan(100);
});

test("the property notices a list of connections that is not by person", async () => {
  const everybody = (table: Table): Table => ({
    ...untouched(table),
    query: async (query) => {
      const pages = await Promise.all(users.map((user) => table.query({ ...query, hash: `USER#${user}` })));
      return query.prefix === "CONN#" ? { items: pages.flatMap(({ items }) => items) } : table.query(query);
    },
  });
  const found = await fc.check(
    fc.asyncProperty(fc.scheduler(), rounds, async (turns, all) => {
      expect((await strayedIn(turns, all, everybody)).strayed).toEqual([]);
    }),
    { numRuns: 300, endOnFailure: true },
  );
  expect(found.failed).toBe(true);
});

/** A table as it is, to change one operation of. */
function untouched(table: Table): Table {
  return {
    get: (key) => table.get(key),
    getMany: (keys) => table.getMany(keys),
    put: (item, when) => table.put(item, when),
    update: (key, change, when) => table.update(key, change, when),
    delete: (key, when) => table.delete(key, when),
    query: (query) => table.query(query),
  };
}
