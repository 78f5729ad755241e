import { beforeEach, expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { scoutId } from "../../../events/ids.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { erasePerson } from "../../../shared/scouts/erase-person.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { MailboxStore } from "../../../shared/scouts/watch/mailbox-store.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { ada, bob, inbox, newLedger, nowMs, ref, relevant } from "./setting.ts";

const clock = () => nowMs;
const address = "blind";
const ofBob = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEF");
let ledger: MemoryTable;

/** Something of every kind that lasts, of a person; the mailbox is both's. */
async function fill(user: typeof ada): Promise<void> {
  const of = { userId: user, scoutId: user === ada ? inbox : ofBob };
  await new ScoutStore(ledger).create({ ...of, sourceType: "gmail", sealed: "s", address, createdAt: 1, revision: 0 });
  await new MailboxStore(ledger).add(address, of);
  await ledger.put({ ...ledgerKey.vault(user, of.scoutId), sealed: "t" });
  await ledger.put({ ...ledgerKey.usage(user, "2026-03", "triage"), committed: 5 });
  await ledger.put({ ...ledgerKey.run(user, "01KE5Q8600ESE4NYY1EVXDNQEA"), scoutId: inbox });
  await new AccountStore(ledger).setTier(user, "pro");
  const items = new ItemStore(ledger);
  for (let n = 0; n < 120; n += 1) await items.judge({ ...of, ref: ref(`m${n}`) }, relevant, nowMs);
}
const rowsOf = (user: string) => ledger.dump().filter(({ pk }) => pk === `USER#${user}`);
const mailbox = () => ledger.peek(ledgerKey.mailbox(address));
/** The ledger, with something that happens before a row is deleted. */
const ledgerWith = (before: (sk: string) => Promise<void>): Table => ({
  get: (...words) => ledger.get(...words),
  getMany: (...words) => ledger.getMany(...words),
  put: (...words) => ledger.put(...words),
  update: (...words) => ledger.update(...words),
  query: (...words) => ledger.query(...words),
  delete: async (key, when) => {
    await before(key.sk);
    return ledger.delete(key, when);
  },
});

beforeEach(async () => {
  ledger = newLedger();
  await fill(ada);
});

test("everything of a person that lasts is erased, with their place at the mailbox, and nothing of others", async () => {
  await fill(bob);
  const before = rowsOf(bob);
  expect(await erasePerson({ ledger, clock }, ada)).toEqual({ scouts: 1, rows: 125, isAll: true, damaged: [] });
  expect(rowsOf(ada)).toEqual([]);
  expect(rowsOf(bob)).toEqual(before);
  expect(mailbox()).toMatchObject({ scouts: { [ofBob]: bob } });
  expect(mailbox()?.["scouts"]).not.toHaveProperty(inbox);
  expect(await erasePerson({ ledger, clock }, ada)).toEqual({ scouts: 0, rows: 0, isAll: true, damaged: [] });
});

test("a mailbox that nobody reads any more goes as well", async () => {
  await erasePerson({ ledger, clock }, ada);
  expect(mailbox()).toMatchObject({ scouts: {}, ttl: Math.floor(nowMs / 1_000) + 86_400 });
});

test("a worker that was at it and writes once more is followed", async () => {
  const late = ledgerWith(async (sk) => {
    if (!sk.startsWith("VAULT#")) return;
    await new ItemStore(ledger).judge({ userId: ada, scoutId: inbox, ref: ref("late") }, relevant, nowMs);
  });
  await erasePerson({ ledger: late, clock }, ada);
  expect(rowsOf(ada)).toEqual([]);
});

test("while something writes on and on, it is not called done", async () => {
  let written = 0;
  const busy = ledgerWith(async (sk) => {
    if (written > 0 && !sk.includes("late")) return;
    written += 1;
    const item = { userId: ada, scoutId: inbox, ref: ref(`late${written}`) };
    await new ItemStore(ledger).judge(item, relevant, nowMs);
  });
  expect(await erasePerson({ ledger: busy, clock }, ada)).toMatchObject({ isAll: false });
  expect(await erasePerson({ ledger, clock }, ada)).toMatchObject({ isAll: true });
  expect(rowsOf(ada)).toEqual([]);
});

test("whoever dies in the middle is followed by whoever asks again, and a damaged row keeps nobody from it", async () => {
  await ledger.put({ ...ledgerKey.scout(ada, inbox), sourceType: 5, address });
  let left = 60;
  const dying = ledgerWith(async () => {
    left -= 1;
    if (left < 0) throw new Error("killed");
  });
  await expect(erasePerson({ ledger: dying, clock }, ada)).rejects.toThrow("killed");
  expect(rowsOf(ada).length).toBeGreaterThan(0);
  await erasePerson({ ledger, clock }, ada);
  expect(rowsOf(ada)).toEqual([]);
  expect(mailbox()).toMatchObject({ scouts: {} });
});

test.each([
  ["says what it does not know", { [inbox]: ada, [ofBob]: 5 }],
  ["says nothing of scouts", "none"],
])("a damaged mailbox's row (%s) keeps nobody from being erased, and is named", async (_, scouts) => {
  const row = { ...ledgerKey.mailbox(address), scouts };
  await ledger.put(row);
  const erased = await erasePerson({ ledger, clock }, ada);
  expect(erased).toEqual({ scouts: 1, rows: 125, isAll: true, damaged: [`${row.pk} ${row.sk}`] });
  expect(rowsOf(ada)).toEqual([]);
});

test("a store that fails at a mailbox is no damage: nothing is erased until it answers", async () => {
  const failing: Table = {
    ...ledgerWith(async () => {}),
    update: (key, ...words) =>
      key.pk.startsWith("MAILBOX#")
        ? Promise.reject(new ScoutsError("storage_throttled"))
        : ledger.update(key, ...words),
  };
  const before = rowsOf(ada).length;
  await expect(erasePerson({ ledger: failing, clock }, ada)).rejects.toMatchObject({ code: "storage_throttled" });
  expect(rowsOf(ada)).toHaveLength(before);
});
