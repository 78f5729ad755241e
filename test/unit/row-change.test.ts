import { expect, test } from "vitest";
import { due } from "../../shared/index-entries.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { changeOf } from "../../shared/ports/row-change.ts";
import { MemoryTable } from "../memory/table.ts";

interface Row {
  readonly status: "open" | "over";
  readonly tries: number;
  readonly note?: string | undefined;
  readonly dueShard?: string;
  readonly dueAt?: number;
}

test("a change of a row names its attributes, and leaves alone what it does not name or leaves undefined", async () => {
  const table = new MemoryTable();
  const key = ledgerKey.health();
  const first = changeOf<Row>({ set: { status: "open", note: "kept", ...due.at("item", "x", 5) }, add: { tries: 1 } });
  await table.update(key, first);
  const second = changeOf<Row>({
    set: { status: "over", note: undefined },
    add: { tries: 2 },
    remove: due.attributes,
    at: { set: [[["answer#1"], "yes"]], add: [[["in#a"], 3]] },
  });
  expect(await table.update(key, second)).toEqual({
    ...key,
    status: "over",
    note: "kept",
    tries: 3,
    "answer#1": "yes",
    "in#a": 3,
  });
});

test("no change names nothing", () => {
  expect(changeOf<Row>({ set: { note: undefined }, remove: [] })).toEqual({});
});

test("a wrong name or a value of another type does not compile", () => {
  // @ts-expect-error: no such attribute
  changeOf<Row>({ set: { state: "open" } });
  // @ts-expect-error: no such status
  changeOf<Row>({ set: { status: "done" } });
  // @ts-expect-error: texts do not count
  changeOf<Row>({ add: { note: 1 } });
  // @ts-expect-error: no such attribute
  changeOf<Row>({ remove: ["due"] });
  expect.assertions(0);
});
