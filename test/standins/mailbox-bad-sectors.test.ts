import { mkdtempSync, promises, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { detectSource } from "../../infra/standins/mailbox/formats/source.ts";
import { scanSource } from "../../infra/standins/mailbox/scan.ts";
import { openMailboxDatabase } from "../../infra/standins/mailbox/store/database.ts";
import { openMessages } from "../../infra/standins/mailbox/store/messages.ts";
import { openSlices } from "../../infra/standins/mailbox/store/slices.ts";
import { message } from "./mailbox-fixture.ts";

/** Files that open, and fail when they are read from some byte on: as those on a disk that is about to die. */
const bad = new Map<string, number>();
const failing = () => Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" });

const { open, readFile } = promises;
const withBadSectors = {
  readFile: async (path: string) => {
    if (bad.has(path)) throw failing();
    return readFile(path);
  },
  open: async (path: string, flags: string) => {
    const file = await open(path, flags);
    const good = bad.get(path);
    if (good === undefined) return file;
    return {
      close: () => file.close(),
      read: async (buffer: Buffer, offset: number, length: number, position: number) => {
        if (position >= good) throw failing();
        return file.read(buffer, offset, Math.min(length, good - position), position);
      },
    };
  },
};
beforeAll(() => {
  Object.assign(promises, withBadSectors);
  syncBuiltinESMExports();
});
afterAll(() => {
  Object.assign(promises, { open, readFile });
  syncBuiltinESMExports();
});

const top = mkdtempSync(join(tmpdir(), "mailbox-bad-"));
afterAll(() => rmSync(top, { recursive: true }));

const noWait = { message: 0, mbox: 0, unfinished: 0, locked: 0 };
const inMbox = (...subjects: string[]) =>
  subjects
    .map((each) => `From bea@example.org Fri Nov 20 09:44:16 2026\n${message(each, "Hello. ".repeat(1_000))}\n`)
    .join("");

async function mailbox(fill: (folder: string) => void) {
  const folder = mkdtempSync(join(top, "mail-"));
  fill(folder);
  const database = openMailboxDatabase(mkdtempSync(join(top, "state-")));
  onTestFinished(() => {
    bad.clear();
    database.close();
  });
  const messages = openMessages(database);
  const slices = openSlices(database, messages);
  const source = await detectSource(folder);
  return {
    folder,
    scan: async () => {
      const { unread, missing } = await scanSource(database, slices, source, noWait);
      database.exec("UPDATE messages SET arrived = 1");
      const rows = database.prepare("SELECT subject FROM messages WHERE gone = 0 ORDER BY subject").all();
      const subjects = rows.map(({ subject }) => String(subject));
      return { subjects, unread: unread.map((path) => path.slice(folder.length + 1)), missing };
    },
  };
}

test("nothing lost: a mail that fails while it is read keeps no other from being read, and is named", async () => {
  const { folder, scan } = await mailbox((path) => {
    for (const name of ["a", "b"]) writeFileSync(join(path, `${name}.eml`), message(name));
  });
  bad.set(join(folder, "b.eml"), 0);
  expect(await scan()).toEqual({ subjects: ["a"], unread: ["b.eml"], missing: [] });
  expect(await scan(), "nor later").toEqual({ subjects: ["a"], unread: ["b.eml"], missing: [] });
  bad.clear();
  expect(await scan()).toEqual({ subjects: ["a", "b"], unread: [], missing: [] });
});

test("nothing lost: a mail that was read before and fails now is not called gone, and goes when its file does", async () => {
  const { folder, scan } = await mailbox((path) => {
    for (const name of ["a", "b"]) writeFileSync(join(path, `${name}.eml`), message(name));
  });
  await scan();
  writeFileSync(join(folder, "b.eml"), `${message("b")}\n`);
  bad.set(join(folder, "b.eml"), 0);
  expect(await scan()).toEqual({ subjects: ["a", "b"], unread: ["b.eml"], missing: [] });
  rmSync(join(folder, "b.eml"));
  expect((await scan()).missing).toHaveLength(1);
});

test("nothing lost: of an mbox that breaks off within, what stands before is read and what was known behind stays", async () => {
  const { folder, scan } = await mailbox((path) => {
    writeFileSync(join(path, "1.eml"), message("single"));
    writeFileSync(join(path, "2.mbox"), inMbox("a", "b", "c"));
  });
  expect((await scan()).subjects).toEqual(["a", "b", "c", "single"]);
  writeFileSync(join(folder, "2.mbox"), inMbox("a", "b", "c", "d"));
  const readable = inMbox("a", "b").length;
  bad.set(join(folder, "2.mbox"), readable);
  expect(await scan()).toEqual({ subjects: ["a", "b", "c", "single"], unread: ["2.mbox"], missing: [] });
  bad.clear();
  expect(await scan()).toEqual({ subjects: ["a", "b", "c", "d", "single"], unread: [], missing: [] });
});

test("nothing lost: what stands before the place where a new mbox breaks off is read", async () => {
  const { folder, scan } = await mailbox((path) => {
    writeFileSync(join(path, "1.eml"), message("single"));
    writeFileSync(join(path, "2.mbox"), inMbox("a", "b", "c"));
  });
  bad.set(join(folder, "2.mbox"), inMbox("a", "b").length - 60);
  expect(await scan()).toEqual({ subjects: ["a", "single"], unread: ["2.mbox"], missing: [] });
  bad.clear();
  expect(await scan()).toEqual({ subjects: ["a", "b", "c", "single"], unread: [], missing: [] });
});

test("a mailbox of which nothing can be read to the end is one that cannot be read", async () => {
  const { folder, scan } = await mailbox((path) => writeFileSync(join(path, "1.eml"), message("a")));
  bad.set(join(folder, "1.eml"), 0);
  await expect(scan()).rejects.toThrow(/cannot be read/);
});
