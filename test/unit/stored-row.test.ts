import { expect, test } from "vitest";
import { parseRunRow } from "../../shared/agents/run/run-row.ts";
import { parseAccount } from "../../shared/billing/account-row.ts";
import { parseUsageRow } from "../../shared/billing/usage-row.ts";
import { parseBreakerRow } from "../../shared/breaker/breaker-row.ts";
import { parseSessionRow } from "../../shared/devices/session-row.ts";
import { parseFileRow, parseIndexRow } from "../../shared/folders/index/index-row.ts";
import { outcomeOf } from "../../shared/outcome/outcome.ts";
import type { Item } from "../../shared/ports/table.ts";
import { readPosition } from "../../shared/scouts/connectors/feed/position.ts";
import { readCursor as readImapCursor, readPage } from "../../shared/scouts/connectors/imap/position.ts";
import { parseItemRow } from "../../shared/scouts/items/item-row.ts";
import { parseScoutRow } from "../../shared/scouts/scout-row.ts";
import { parseTrialRow, parseTriedRow } from "../../shared/scouts/trial/trial-row.ts";
import { ada, nowMs } from "./scouts/setting.ts";

const key = { pk: `USER#${ada}`, sk: "ROW#1" };
/** Each holds a number where its row has something else, or the other way round. */
const rows: readonly [what: string, read: (row: Item) => unknown, row: Item][] = [
  ["a scout", parseScoutRow, { ...key, sealed: 1 }],
  ["an item", parseItemRow, { ...key, status: "unheard_of" }],
  ["an account", parseAccount, { ...key, tier: "unheard_of" }],
  ["what was used", parseUsageRow, { ...key, committed: "much" }],
  ["what is set aside", parseUsageRow, { ...key, "open#x": "much" }],
  ["the breaker", parseBreakerRow, { ...key, since: "then" }],
  ["a session", parseSessionRow, { ...key, expiresAt: "then" }],
  ["a run", parseRunRow, { ...key, status: 1 }],
  ["an index", (row) => parseIndexRow(row, nowMs), { ...key, expiresAt: "then" }],
  ["a file of an index", parseFileRow, { ...key, tokens: "many" }],
  ["a trial", (row) => parseTrialRow(row, nowMs), { ...key, expiresAt: "then" }],
  ["an item of a trial", parseTriedRow, { ...key, ref: 1 }],
];

test.each(rows)("the damaged row of %s is named, and what it says is not repeated", (_, read, row) => {
  expect(() => read(row)).toThrow(expect.objectContaining({ code: "row_damaged", data: key }));
});

test.each([readImapCursor, readPage, readPosition])("a damaged position is no fault of its source: %o", (read) => {
  for (const text of ["", "{", '{"v":9}'])
    expect(() => read(text)).toThrow(expect.objectContaining({ code: "row_damaged", data: { what: "position" } }));
});

test("what only its operator can mend waits for that, and spends no attempt", () => {
  const thrown = (() => {
    try {
      return parseItemRow({ ...key, status: "unheard_of" });
    } catch (error) {
      return error;
    }
  })();
  expect(outcomeOf(thrown, nowMs)).toEqual({ kind: "defer", untilMs: expect.any(Number), code: "row_damaged" });
});
