import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { detectSource } from "../../infra/standins/mailbox/formats/source.ts";
import { scanSource } from "../../infra/standins/mailbox/scan.ts";
import { openMailboxDatabase } from "../../infra/standins/mailbox/store/database.ts";
import { openMessages } from "../../infra/standins/mailbox/store/messages.ts";
import { openSlices } from "../../infra/standins/mailbox/store/slices.ts";
import { StandInError } from "../../infra/standins/stand-in-error.ts";
import { message } from "./mailbox-fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "mailbox-away-"));
afterAll(() => rmSync(folder, { recursive: true }));

const noWait = { message: 0, mbox: 0, unfinished: 0, locked: 0 };
const mails = 12;

/** A mailbox whose mail has all been found. */
async function foundMailbox(name: string, inside: string, ending: string) {
  const path = join(folder, name);
  mkdirSync(join(path, inside), { recursive: true });
  if (inside !== "") mkdirSync(join(path, "cur"), { recursive: true });
  const fileOf = (at: number) => join(path, inside, inside === "" ? `${at}.eml` : `${at}.host`);
  for (let at = 0; at < mails; at++) writeFileSync(fileOf(at), message(`Subject ${at}`));
  const database = openMailboxDatabase(mkdtempSync(join(folder, "state-")));
  const messages = openMessages(database);
  const slices = openSlices(database, messages);
  const source = await detectSource(`${path}${ending}`);
  const scan = () => scanSource(database, slices, source, noWait);
  await scan();
  database.exec("UPDATE messages SET arrived = 1");
  return { path, fileOf, scan, close: () => database.close() };
}

/** What a scan calls gone; nothing where the mailbox cannot be read. */
async function goneBy(scan: () => ReturnType<typeof scanSource>): Promise<readonly string[]> {
  try {
    return (await scan()).missing;
  } catch (error) {
    if (!(error instanceof StandInError && error.code === "mailbox_unreadable")) throw error;
    return [];
  }
}

test.each([
  ["folder", "", ""],
  ["folder named with a slash", "", "/"],
  ["Maildir", "new", ""],
])("P2: of a %s that is taken away at any moment of a scan no message is called gone", async (kind, inside, ending) => {
  const mailbox = await foundMailbox(kind, inside, ending);
  const away = `${mailbox.path} away`;
  try {
    for (let moment = 0; moment < 60; moment++) {
      // Changed files are read again, and a scan that was under way may have found some of them.
      for (let at = 0; at < mails; at++)
        if (moment % 2 === 1) writeFileSync(mailbox.fileOf(at), message(`Subject ${at}`));
      const scanning = goneBy(mailbox.scan);
      for (let turn = 0; turn < moment; turn++) await setImmediate();
      renameSync(mailbox.path, away);
      expect(await scanning, `away after ${moment} turns`).toEqual([]);
      expect(await goneBy(mailbox.scan)).toEqual([]);
      renameSync(away, mailbox.path);
      expect(await goneBy(mailbox.scan)).toEqual([]);
      // And back before the scan has ended.
      const another = goneBy(mailbox.scan);
      for (let turn = 0; turn < moment; turn++) await setImmediate();
      renameSync(mailbox.path, away);
      for (let turn = 0; turn < 2 + (moment % 5); turn++) await setImmediate();
      renameSync(away, mailbox.path);
      expect(await another, `away and back after ${moment} turns`).toEqual([]);
    }
    rmSync(mailbox.fileOf(0));
    expect(await goneBy(mailbox.scan)).toHaveLength(1);
  } finally {
    mailbox.close();
  }
});

test("an mbox whose mail was fetched away is not called gone, and is looked at no more often than any other", async () => {
  const path = join(folder, "ada");
  writeFileSync(path, `From ada@example.com Mon Nov 23 10:00:00 2026\n${message("Lunch?")}\n\n`);
  const database = openMailboxDatabase(mkdtempSync(join(folder, "state-")));
  try {
    const slices = openSlices(database, openMessages(database));
    const source = await detectSource(path);
    const scan = () => scanSource(database, slices, source, noWait);
    expect(await scan()).toMatchObject({ unsettled: false, isAway: false });
    writeFileSync(path, "");
    expect(await scan()).toMatchObject({ unsettled: false, isAway: true, missing: [] });
  } finally {
    database.close();
  }
});
