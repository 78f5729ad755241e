import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { detectSource } from "../../infra/standins/mailbox/formats/source.ts";
import { scanSource } from "../../infra/standins/mailbox/scan.ts";
import { openMailboxDatabase } from "../../infra/standins/mailbox/store/database.ts";
import { openMessages } from "../../infra/standins/mailbox/store/messages.ts";
import { openSlices } from "../../infra/standins/mailbox/store/slices.ts";
import { message } from "./mailbox-fixture.ts";

const top = mkdtempSync(join(tmpdir(), "mailbox-refused-"));
afterAll(() => rmSync(top, { recursive: true }));

const noWait = { message: 0, mbox: 0, unfinished: 0, locked: 0 };
const nobody = 65_534;

type Files = (folder: string) => void;

/** A mailbox, and scans of it by somebody who is not the system's administrator: that one may read everything. */
async function mailbox(fill: Files) {
  const folder = mkdtempSync(join(top, "mail-"));
  fill(folder);
  const state = mkdtempSync(join(top, "state-"));
  if (process.geteuid?.() === 0) {
    chmodSync(top, 0o755);
    for (const name of readdirSync(folder, { recursive: true })) giveAway(join(folder, String(name)));
    for (const path of [folder, state]) giveAway(path);
    process.seteuid?.(nobody);
    onTestFinished(() => process.seteuid?.(0));
  }
  const database = openMailboxDatabase(state);
  onTestFinished(() => database.close());
  const messages = openMessages(database);
  const slices = openSlices(database, messages);
  const source = await detectSource(folder);
  const scan = async () => {
    const { unread, missing } = await scanSource(database, slices, source, noWait);
    database.exec("UPDATE messages SET arrived = 1");
    return {
      messages: messages.counts().messages,
      unread: unread.map((path) => path.slice(folder.length + 1)),
      missing,
    };
  };
  return { folder, scan };
}

function giveAway(path: string): void {
  try {
    chownSync(path, nobody, nobody);
  } catch {
    // A link that leads nowhere has nobody to be given to.
  }
}

const maildir: Files = (folder) => {
  for (const name of ["new", "cur", "tmp"]) mkdirSync(join(folder, name));
};

test("nothing lost: beside a file that may not be read, a link to nothing and one round in circles, a Maildir is read", async () => {
  const { folder, scan } = await mailbox((path) => {
    maildir(path);
    writeFileSync(join(path, "new", "1.host"), message("one"));
    writeFileSync(join(path, "new", "2.host"), message("two"));
    chmodSync(join(path, "new", "2.host"), 0);
    symlinkSync("nowhere", join(path, "cur", "3.host:2,S"));
    symlinkSync("4.host:2,S", join(path, "cur", "4.host:2,S"));
    mkdirSync(join(path, "cur", "5.host:2,S"));
  });
  const refused = ["cur/3.host:2,S", "cur/4.host:2,S", "cur/5.host:2,S", "new/2.host"];
  const first = await scan();
  expect({ ...first, unread: first.unread.toSorted() }).toEqual({ messages: 1, unread: refused, missing: [] });
  chmodSync(join(folder, "new", "2.host"), 0o600);
  expect(await scan()).toMatchObject({ messages: 2, missing: [] });
});

test("nothing lost: beside a folder, a mail and an mbox that may not be read, a folder of mail is read", async () => {
  const { folder, scan } = await mailbox((path) => {
    writeFileSync(join(path, "1.eml"), message("one"));
    writeFileSync(join(path, "2.eml"), message("two"));
    writeFileSync(join(path, "3.mbox"), Buffer.concat([Buffer.from("From bea\n"), message("three")]));
    mkdirSync(join(path, "lost+found"));
    writeFileSync(join(path, "lost+found", "4.eml"), message("four"));
    for (const name of ["2.eml", "3.mbox", "lost+found"]) chmodSync(join(path, name), 0);
  });
  const first = await scan();
  expect({ ...first, unread: first.unread.toSorted() }).toEqual({
    messages: 1,
    unread: ["2.eml", "3.mbox", "lost+found"],
    missing: [],
  });
  for (const name of ["2.eml", "3.mbox", "lost+found"]) chmodSync(join(folder, name), 0o700);
  expect(await scan()).toEqual({ messages: 4, unread: [], missing: [] });
});

test("nothing lost: mail whose file or folder may not be read any more is not called gone, and is the same when it may", async () => {
  const names = ["2.eml", "3.mbox", "inner"];
  const { folder, scan } = await mailbox((path) => {
    writeFileSync(join(path, "1.eml"), message("one"));
    writeFileSync(join(path, "2.eml"), message("two"));
    writeFileSync(join(path, "3.mbox"), Buffer.concat([Buffer.from("From bea\n"), message("three")]));
    mkdirSync(join(path, "inner"));
    writeFileSync(join(path, "inner", "4.eml"), message("four"));
  });
  expect(await scan()).toEqual({ messages: 4, unread: [], missing: [] });
  // Other bytes behind a lock: they are looked at, and refused.
  writeFileSync(join(folder, "2.eml"), message("two, once more"));
  writeFileSync(join(folder, "3.mbox"), Buffer.concat([Buffer.from("From bea\n"), message("three, once more")]));
  for (const name of names) chmodSync(join(folder, name), 0);
  writeFileSync(join(folder, "5.eml"), message("five"));
  expect(await scan()).toMatchObject({ messages: 5, missing: [] });
  expect(await scan()).toMatchObject({ messages: 5, missing: [] });
  for (const name of names) chmodSync(join(folder, name), 0o700);
  writeFileSync(join(folder, "2.eml"), message("two"));
  writeFileSync(join(folder, "3.mbox"), Buffer.concat([Buffer.from("From bea\n"), message("three")]));
  expect(await scan()).toEqual({ messages: 5, unread: [], missing: [] });
  rmSync(join(folder, "2.eml"));
  expect((await scan()).missing).toHaveLength(1);
});

test("nothing lost: a link to a mail or an mbox that lies elsewhere is read, and one to mail of the same folder is no second mail", async () => {
  const elsewhere = mkdtempSync(join(top, "elsewhere-"));
  chmodSync(elsewhere, 0o755);
  writeFileSync(join(elsewhere, "one"), message("one"));
  writeFileSync(join(elsewhere, "two"), Buffer.concat([Buffer.from("From bea\n"), message("two")]));
  const { scan } = await mailbox((path) => {
    writeFileSync(join(path, "3.eml"), message("three"));
    symlinkSync(join(elsewhere, "one"), join(path, "1.eml"));
    symlinkSync(join(elsewhere, "one"), join(path, "1-again.eml"));
    symlinkSync(join(elsewhere, "two"), join(path, "2.mbox"));
    symlinkSync("3.eml", join(path, "4.eml"));
    symlinkSync("nowhere", join(path, "5.eml"));
    symlinkSync("nowhere", join(path, "notes.txt"));
  });
  expect(await scan()).toEqual({ messages: 3, unread: ["5.eml"], missing: [] });
});

test("a mailbox of which nothing may be read is one that cannot be read", async () => {
  const { scan } = await mailbox((path) => {
    writeFileSync(join(path, "1.eml"), message("one"));
    chmodSync(join(path, "1.eml"), 0);
  });
  await expect(scan()).rejects.toThrow(/cannot be read/);
});
