import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairBacklog, type Waiting } from "../../infra/local/engines/fair-backlog.ts";
import type { EngineMessage } from "../../infra/local/engines/fauxqs.ts";

const message = (messageGroupId: string, n: number): EngineMessage => ({
  messageId: `${messageGroupId}${n}`,
  messageGroupId,
  sequenceNumber: String(n),
  body: "",
  md5OfBody: "",
  messageAttributes: {},
  md5OfMessageAttributes: "",
  sentTimestamp: 0,
  approximateReceiveCount: 0,
});
const many = (group: string, count: number) => Array.from({ length: count }, (_, n) => message(group, n));

const waiting = (messages: EngineMessage[]): Waiting => ({
  messages,
  fifoMessages: Map.groupBy(messages, ({ messageGroupId }) => messageGroupId ?? ""),
  fifoLockedGroups: new Map(),
});

const everyone = () => true;
const counts = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 });
const backlogOf = (sizes: number[]) => sizes.flatMap((size, index) => many(`g${index}-`, size));

describe("fair delivery by message group", () => {
  it("serves a tenant with 10 messages within 3 batches of one with 10,000 before it", () => {
    const engine = waiting([...many("busy", 10_000), ...many("quiet", 10)]);
    const backlog = new FairBacklog();
    const batches = [1, 2, 3].flatMap(() => backlog.takeFair(engine, 10, everyone));
    expect(batches.filter(({ messageGroupId }) => messageGroupId === "quiet")).toHaveLength(10);
  });

  it("delivers every message exactly once, in order within a group, and no group more than one ahead of its share", () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 10 }), (sizes, batchSize) => {
        const all = backlogOf(sizes);
        const engine = waiting([...all]);
        const backlog = new FairBacklog();
        const taken: EngineMessage[] = [];
        while (engine.messages.length > 0) {
          const batch = backlog.takeFair(engine, batchSize, everyone);
          taken.push(...batch);
          const left = new Set(engine.messages.map(({ messageGroupId }) => messageGroupId));
          const served = [...left].map((group) => taken.filter((one) => one.messageGroupId === group).length);
          if (served.length > 1) expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(1);
        }
        expect(taken.map(({ messageId }) => messageId).toSorted()).toEqual(
          all.map(({ messageId }) => messageId).toSorted(),
        );
        for (const group of Map.groupBy(taken, ({ messageGroupId }) => messageGroupId).values()) {
          const order = group.map(({ sequenceNumber }) => Number(sequenceNumber));
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it("takes FIFO groups in order, as many of one as fit, and none of a locked group", () => {
    const engine = waiting([...many("a", 3), ...many("b", 12), ...many("c", 2)]);
    engine.fifoLockedGroups.set("a", 1);
    const backlog = new FairBacklog();
    const ids = (batch: EngineMessage[]) => batch.map(({ messageId }) => messageId);
    expect(ids(backlog.takeOrdered(engine, 10, everyone))).toEqual(Array.from({ length: 10 }, (_, n) => `b${n}`));
    expect(ids(backlog.takeOrdered(engine, 10, everyone))).toEqual(["c0", "c1", "b10", "b11"]);
    expect(backlog.takeOrdered(engine, 10, everyone)).toEqual([]);
    expect([...engine.fifoMessages.keys()]).toEqual(["a"]);
  });

  it("leaves what is not admitted where it is, in its order", () => {
    const engine = waiting([...many("a", 3), ...many("b", 3)]);
    const backlog = new FairBacklog();
    const only = (group: string) => (other: string) => other === group;
    expect(backlog.takeFair(engine, 10, only("b")).map(({ messageId }) => messageId)).toEqual(["b0", "b1", "b2"]);
    expect(engine.messages.map(({ messageId }) => messageId)).toEqual(["a0", "a1", "a2"]);
    expect(backlog.takeOrdered(engine, 10, only("a")).map(({ messageId }) => messageId)).toEqual(["a0", "a1", "a2"]);
    expect([...engine.fifoMessages.keys()]).toEqual(["b"]);
  });
});
