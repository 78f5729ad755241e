import { expect, test } from "vitest";
import type { UserId } from "../../../events/ids.ts";
import type { TriageMessage } from "../../../events/queues.ts";
import { parseBreakerRow } from "../../../shared/breaker/breaker-row.ts";
import { ledgerIndex, ledgerKey } from "../../../shared/keys.ts";
import type { Queue } from "../../../shared/ports/queue.ts";
import type { Item, Key, Page, Query, Table } from "../../../shared/ports/table.ts";
import { userIdOf } from "../../../shared/privacy/opaque.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { requeueDueItems } from "../../../shared/scouts/sync/due.ts";
import { noLog } from "../../memory/log.ts";
import { ada, bob, inbox, item, newLedger, nowMs, ref } from "./setting.ts";

const eve = userIdOf("https://issuer.example/", "eve");
/** A minute after the model came back a tick queues a hundred. */
const allowed = 100;
const justClosed = { tick: async () => ({ ...parseBreakerRow(undefined), closedAt: nowMs }) };
const failed = { status: "failed", sourceType: "feed", code: "internal", attempts: 1, nowMs } as const;

/** `count` items of a person that have waited for so long, the first one longest. */
async function wait(ledger: Table, user: UserId, count: number, forMs: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, at) => `m${String(at).padStart(4, "0")}`);
  const items = new ItemStore(ledger);
  for (const [at, name] of names.entries()) {
    await items.postpone(item(name, user), { ...failed, dueAtMs: nowMs - forMs + at });
  }
  return names;
}

/** @returns what a tick queued, by person */
async function tick(ledger: Table) {
  const sent: TriageMessage[] = [];
  const triage: Queue<TriageMessage> = {
    send: async (messages) => void sent.push(...messages.map(({ body }) => body)),
  };
  const ports = { ledger, items: new ItemStore(ledger), triage, breaker: justClosed, clock: () => nowMs, log: noLog };
  const { queued } = await requeueDueItems(ports);
  return { queued, of: (user: UserId) => sent.filter(({ userId }) => userId === user).map((message) => message.ref) };
}

test("one person's backlog, however old, keeps nobody else's items waiting, and its oldest come first", async () => {
  const ledger = newLedger();
  const backlog = await wait(ledger, ada, 150, 86_400_000);
  const bobs = await wait(ledger, bob, 8, 1_000);
  const eves = await wait(ledger, eve, 3, 500);
  const first = await tick(ledger);
  expect(first.of(bob).toSorted()).toEqual(bobs);
  expect(first.of(eve).toSorted()).toEqual(eves);
  expect(first.of(ada).toSorted()).toEqual(backlog.slice(0, allowed - 11));
  const second = await tick(ledger);
  expect(second.of(ada).toSorted()).toEqual(backlog.slice(allowed - 11));
  expect(second.queued).toBe(150 - (allowed - 11));
});

test("an item whose time moves while the index is read is queued once", async () => {
  const ledger = newLedger();
  await wait(ledger, ada, 1, 1_000);
  const shownTwice = async ({ start, ...query }: Query): Promise<Page> => {
    const page = await ledger.query(query);
    const [entry] = page.items;
    return start || !entry ? page : { ...page, next: entry };
  };
  const { queued, of } = await tick(over(ledger, shownTwice));
  expect([queued, of(ada)]).toEqual([1, ["m0000"]]);
});

test("a tick reads a bounded part of an index without end", async () => {
  let read = 0;
  const endless = async ({ hash, limit = 1 }: Query): Promise<Page> => {
    const entry = (at: number): Item => ({
      ...ledgerKey.item(ada, inbox, ref(`m${at}`)),
      dueShard: hash,
      dueAt: nowMs,
    });
    const items = Array.from({ length: limit }, (_, at) => entry(read + at));
    read += limit;
    return { items, next: entry(read) };
  };
  const getMany = async (keys: readonly Key[]) => keys.map((key): Item => ({ ...key, ...failed, dueAt: nowMs }));
  expect((await tick(over(newLedger(), endless, { getMany }))).queued).toBe(allowed);
  expect(read).toBeLessThan(110_000);
});

/** A table whose index of due items answers otherwise, and what else is said. */
function over(ledger: Table, due: Table["query"], other: Partial<Table> = {}): Table {
  const query = (asked: Query) => (asked.index?.name === ledgerIndex.due.name ? due(asked) : ledger.query(asked));
  const answered: Partial<Table> = { query, ...other };
  return new Proxy(ledger, { get: (target, name: keyof Table) => answered[name] ?? target[name].bind(target) });
}
