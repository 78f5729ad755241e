import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyItem } from "../../shared/ports/every-item.ts";
import type { Item, Table } from "../../shared/ports/table.ts";

export interface TableUnderTest {
  readonly table: Table;
  close(): Promise<void>;
}

/** An index every implementation under test must have: `group` (string) then `at` (number), carrying `colour`. */
export const byGroup = { name: "by_group", hash: "group", range: "at" } as const;

/** What the port promises, held against any implementation. Keys are drawn afresh, so tests share a table. */
export function tableContract(name: string, make: () => Promise<TableUnderTest>): void {
  describe(`table port: ${name}`, () => {
    let made: TableUnderTest;
    let serial = 0;
    beforeAll(async () => {
      made = await make();
    });
    afterAll(() => made.close());
    const fresh = () => {
      serial += 1;
      return { pk: `P#${serial}`, sk: "S" };
    };

    it("reads back what was put, of every kind of value", async () => {
      const item = {
        ...fresh(),
        text: "ü\u0000 end",
        count: 12.5,
        yes: true,
        none: null,
        list: [1, "a"],
        map: { deep: { er: 1 } },
      };
      expect(await made.table.put(item)).toBe(true);
      expect(await made.table.get(item)).toEqual(item);
    });

    it("knows nothing of an absent item", async () => {
      const key = fresh();
      expect(await made.table.get(key)).toBeUndefined();
      expect(await made.table.getMany([key])).toEqual([]);
    });

    it("gives the items that exist of many", async () => {
      const a = { ...fresh(), n: 1 };
      const b = { ...fresh(), n: 2 };
      await made.table.put(a);
      await made.table.put(b);
      const found = await made.table.getMany([a, fresh(), b]);
      expect([...found].sort((x, y) => Number(x["n"]) - Number(y["n"]))).toEqual([a, b]);
    });

    it("gives an item once that is asked for twice: an index may name it at its former place and at its new one", async () => {
      const [a, b] = [
        { ...fresh(), n: 1 },
        { ...fresh(), n: 2 },
      ];
      await made.table.put(a);
      await made.table.put(b);
      const found = await made.table.getMany([a, b, { pk: a.pk, sk: a.sk }]);
      expect([...found].sort((x, y) => Number(x["n"]) - Number(y["n"]))).toEqual([a, b]);
    });

    it("P2: puts once under `absent`, and the first put stands", async () => {
      const key = fresh();
      const answers = await Promise.all([1, 2, 3].map((n) => made.table.put({ ...key, n }, { absent: ["pk"] })));
      expect(answers.filter(Boolean)).toHaveLength(1);
      const winner = answers.indexOf(true) + 1;
      expect((await made.table.get(key))?.["n"]).toBe(winner);
    });

    it("P2: does not create an item by an update or delete whose condition does not hold", async () => {
      const key = fresh();
      const exists = { exists: ["pk"] } as const;
      expect(await made.table.update(key, { set: [[["n"], 1]] }, exists)).toBe(false);
      expect(await made.table.delete(key, exists)).toBe(false);
      expect(await made.table.get(key)).toBeUndefined();
    });

    it("creates an item by an unconditional update, counting from 0", async () => {
      const key = fresh();
      expect(await made.table.update(key, { add: [[["n"], 5]] })).toEqual({ ...key, n: 5 });
      expect(await made.table.update(key, { add: [[["n"], -2]], set: [[["m"], {}]] })).toEqual({ ...key, n: 3, m: {} });
    });

    it("sets, adds and removes inside maps, whatever characters the map's keys hold", async () => {
      const key = fresh();
      await made.table.put({ ...key, open: {}, gone: 1 });
      const after = await made.table.update(key, {
        set: [[["open", "a.b#c d"], 7]],
        add: [[["total"], 7]],
        remove: [["gone"]],
      });
      expect(after).toEqual({ ...key, open: { "a.b#c d": 7 }, total: 7 });
      const removed = await made.table.update(key, { remove: [["open", "a.b#c d"]] }, { exists: ["open", "a.b#c d"] });
      expect(removed).toEqual({ ...key, open: {}, total: 7 });
      expect(await made.table.update(key, { remove: [["open", "x"]] }, { exists: ["open", "x"] })).toBe(false);
    });

    it("holds a write to every form of condition", async () => {
      const item: Item = { ...fresh(), n: 5, s: "b", f: false };
      await made.table.put(item);
      const holds = async (when: Parameters<Table["update"]>[2]) =>
        (await made.table.update(item, { set: [[["touched"], true]] }, when)) !== false;
      expect(await holds({ path: ["n"], is: "=", value: 5 })).toBe(true);
      expect(await holds({ path: ["n"], is: "<", value: 5 })).toBe(false);
      expect(await holds({ path: ["n"], is: "<=", value: 5 })).toBe(true);
      expect(await holds({ path: ["n"], is: ">", value: 4 })).toBe(true);
      expect(await holds({ path: ["n"], is: ">=", value: 6 })).toBe(false);
      expect(await holds({ path: ["n"], is: "<", value: "6" })).toBe(false);
      expect(await holds({ path: ["missing"], is: "<=", value: 5 })).toBe(false);
      expect(await holds({ path: ["s"], in: ["a", "b"] })).toBe(true);
      expect(await holds({ path: ["missing"], in: ["a", "b"] })).toBe(false);
      expect(await holds({ all: [{ exists: ["n"] }, { absent: ["x"] }] })).toBe(true);
      expect(await holds({ any: [{ exists: ["x"] }, { absent: ["n"] }] })).toBe(false);
      expect(await holds({ any: [{ absent: ["x"] }, { path: ["s"], is: "=", value: "z" }] })).toBe(true);
    });

    it("P2: adds up concurrent conditional adds without losing one", async () => {
      const key = fresh();
      await made.table.put({ ...key, used: 0 });
      const within = { path: ["used"], is: "<=", value: 6 } as const;
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => made.table.update(key, { add: [[["used"], 2]] }, within)),
      );
      expect(answers.filter(Boolean)).toHaveLength(4);
      expect((await made.table.get(key))?.["used"]).toBe(8);
    });

    it("queries by prefix and range, in order, page by page", async () => {
      const { pk } = fresh();
      const names = ["A#1", "A#2", "A#3", "B#1", "B#2"];
      for (const sk of [...names].reverse()) await made.table.put({ pk, sk });
      const all = async (query: Parameters<Table["query"]>[0]) => {
        const found: string[] = [];
        for (let start: Item | undefined; ; ) {
          const page = await made.table.query({ ...query, limit: 2, consistent: true, ...(start ? { start } : {}) });
          found.push(...page.items.map((item) => item.sk));
          if (!page.next) return found;
          start = page.next;
        }
      };
      expect(await all({ hash: pk })).toEqual(names);
      expect(await all({ hash: pk, prefix: "A#" })).toEqual(["A#1", "A#2", "A#3"]);
      expect(await all({ hash: pk, from: "A#2", to: "B#1" })).toEqual(["A#2", "A#3", "B#1"]);
      expect(await all({ hash: pk, from: "A#3\u0000" })).toEqual(["B#1", "B#2"]);
      expect(await all({ hash: pk, to: "A#1" })).toEqual(["A#1"]);
    });

    it("ends a page at a megabyte, and goes on from there", async () => {
      const { pk } = fresh();
      const names = Array.from({ length: 6 }, (_, index) => String(index));
      for (const sk of names) await made.table.put({ pk, sk, long: "x".repeat(250_000) });
      const first = await made.table.query({ hash: pk });
      expect(first.next).toMatchObject({ pk });
      expect(first.items.length).toBeLessThan(names.length);
      expect((await everyItem(made.table, { hash: pk })).map(({ sk }) => sk)).toEqual(names);
    });

    it("queries an index: only items that carry its keys, ordered by number, entries leave with their attribute", async () => {
      const group = fresh().pk;
      const items = [20, 3, 100].map((at) => ({ ...fresh(), group, at, colour: "red", hidden: 1 }));
      for (const item of items) await made.table.put(item);
      await made.table.put({ ...fresh(), group });
      const query = async (to?: number) =>
        (await made.table.query({ index: byGroup, hash: group, ...(to === undefined ? {} : { to }) })).items;
      expect((await query()).map((item) => item["at"])).toEqual([3, 20, 100]);
      expect((await query(20)).map((item) => item["at"])).toEqual([3, 20]);
      expect(Object.keys((await query())[0] ?? {}).sort()).toEqual(["at", "colour", "group", "pk", "sk"]);
      const [first] = items;
      if (first) await made.table.update(first, { remove: [["group"]] });
      expect((await query()).map((item) => item["at"])).toEqual([3, 100]);
    });

    it("pages an index by its own next keys", async () => {
      const group = fresh().pk;
      for (let at = 0; at < 5; at += 1) await made.table.put({ ...fresh(), group, at: at % 2, colour: String(at) });
      const colours: string[] = [];
      for (let start: Item | undefined; ; ) {
        const page = await made.table.query({ index: byGroup, hash: group, limit: 2, ...(start ? { start } : {}) });
        colours.push(...page.items.map((item) => String(item["colour"])));
        if (!page.next) break;
        start = page.next;
      }
      expect(colours.sort()).toEqual(["0", "1", "2", "3", "4"]);
    });

    it("keeps any text and number as it was given", async () => {
      const value = fc.oneof(fc.string({ unit: "binary", minLength: 1 }), fc.integer(), fc.boolean());
      await fc.assert(
        fc.asyncProperty(value, async (kept) => {
          const item = { ...fresh(), kept };
          await made.table.put(item);
          expect((await made.table.get(item))?.["kept"]).toEqual(kept);
        }),
        { numRuns: 50 },
      );
    });
  });
}
