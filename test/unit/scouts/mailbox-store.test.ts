import { expect, test } from "vitest";
import { scoutId } from "../../../events/ids.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { Change, Condition, Item, Key } from "../../../shared/ports/table.ts";
import { MailboxStore } from "../../../shared/scouts/watch/mailbox-store.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, bob, inbox, nowMs } from "./setting.ts";

const other = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEF");
const key = ledgerKey.mailbox("box");

/** Has somebody come in between two writes of whoever leaves. */
class Interrupted extends MemoryTable {
  meanwhile: (() => Promise<void>) | undefined;

  override async update(of: Key, change: Change, when?: Condition): Promise<Item | false> {
    const written = await super.update(of, change, when);
    const { meanwhile } = this;
    this.meanwhile = undefined;
    await meanwhile?.();
    return written;
  }
}

test("a mailbox that somebody comes to while its last scout leaves is kept, and its access is not given back", async () => {
  const ledger = new Interrupted();
  const mailboxes = new MailboxStore(ledger);
  await mailboxes.add("box", { userId: ada, scoutId: inbox });
  ledger.meanwhile = () => mailboxes.add("box", { userId: bob, scoutId: other });
  expect(await mailboxes.remove("box", inbox, nowMs)).toBe(false);
  expect(await mailboxes.scoutsOf("box")).toEqual([{ userId: bob, scoutId: other }]);
  expect((await ledger.get(key))?.["ttl"]).toBeUndefined();
});

test("a mailbox that nobody is on any more goes in a day, asked for as often as one likes, and stays for who comes back", async () => {
  const ledger = new MemoryTable();
  // Rows of before it was counted who comes have no count.
  await ledger.put({ ...key, scouts: { [inbox]: ada } });
  const mailboxes = new MailboxStore(ledger);
  for (let time = 0; time < 2; time += 1) {
    expect(await mailboxes.remove("box", inbox, nowMs)).toBe(true);
    expect((await ledger.get(key))?.["ttl"]).toBe(nowMs / 1000 + 86_400);
  }
  await mailboxes.add("box", { userId: ada, scoutId: inbox });
  expect((await ledger.get(key))?.["ttl"]).toBeUndefined();
  expect(await mailboxes.remove("elsewhere", inbox, nowMs), "never there").toBe(true);
});
