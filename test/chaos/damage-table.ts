import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drain } from "../../cli/up/drain.ts";
import { startSystem } from "../../cli/up/system.ts";
import { localHome } from "../../device/connect/local-home.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { requireSound } from "../../device/store/require-sound.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { lockData } from "../../infra/local/lock.ts";
import { readIdentity } from "../../infra/local/world/identity.ts";
import { announce } from "../../infra/local/world/presence.ts";
import { readSecrets } from "../../infra/local/world/secrets.ts";

export interface DamageRow {
  /** Below the data folder. */
  readonly file: string;
  readonly damage:
    | "one byte"
    | "missing"
    | "cut in half"
    | "emptied"
    | "after a kill: one byte"
    | "after a kill: missing";
  /** What the next start says; undefined when it goes on as if nothing were. */
  readonly refusal: string | undefined;
}

const mail = (number: number) =>
  `From: Bea <bea@example.org>\r\nTo: you@example.com\r\nSubject: Letter ${number}\r\nMessage-ID: <${number}@x>\r\n\r\nHello.\r\n`;

/** What a running home says of itself. */
const presence = {
  apiUrl: "http://127.0.0.1:7411",
  tokenUrl: "http://127.0.0.1:7412/token",
  clientId: "owner",
  clientSecret: "a secret of a running home",
};

/** A data folder as a home leaves it that has judged a few mails and was stopped. */
async function usedFolder(folder: string): Promise<string> {
  const mailboxPath = join(folder, "mail");
  mkdirSync(mailboxPath);
  for (const number of [1, 2, 3]) writeFileSync(join(mailboxPath, `${number}.eml`), mail(number));
  const dataFolder = join(folder, "data");
  const { signal } = new AbortController();
  const system = await startSystem({ ...systemTimeAndIds, dataFolder, mailboxPath, environment: {}, signal });
  try {
    await drain(system, signal);
  } finally {
    await system.stop();
  }
  return dataFolder;
}

const filesOf = (folder: string, kept: RegExp): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > 0)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => kept.test(name));

/** What the start of a home looks at before it does anything, in the room of the file. */
async function refusalOf(dataFolder: string, file: string): Promise<string | undefined> {
  const undo: (() => void)[] = [];
  try {
    if (file === "home.json") {
      localHome(dataFolder, Date.now);
      return undefined;
    }
    if (file.startsWith("device/")) {
      const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
      undo.push(() => store.close());
      requireSound(store);
      return undefined;
    }
    for (const room of ["world", "cloud"]) undo.push(lockData(join(dataFolder, room), "scouts up"));
    await readIdentity(join(dataFolder, "world"));
    readSecrets(join(dataFolder, "world"));
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  } finally {
    for (const step of undo.reverse()) step();
  }
}

/** Leaves a folder as a home that is killed right after its start does. */
function killed(dataFolder: string): void {
  for (const room of ["world", "cloud"]) {
    const [seal, broken] = ["seal.json", "seal.broken.json"].map((name) => join(dataFolder, room, name));
    if (seal === undefined || broken === undefined) throw new TypeError("two names");
    const release = lockData(join(dataFolder, room), "scouts up");
    const left = readFileSync(broken);
    release();
    rmSync(seal);
    writeFileSync(broken, left);
  }
}

/** The middle byte of what SQLite reads first of a file, of all others the middle one. */
function flip(path: string): void {
  const bytes = readFileSync(path);
  const { atime, mtime, mtimeMs } = statSync(path);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  writeFileSync(path, bytes);
  // A byte that goes bad on the disk is no writing.
  utimesSync(path, atime, mtimeMs === mtime.getTime() ? mtime : mtimeMs / 1000);
}

/** What becomes of a data folder when one of its files is another, or gone, at the next start. */
export async function damageTable(): Promise<DamageRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "scouts-damage-"));
  try {
    const used = await usedFolder(folder);
    const rows: DamageRow[] = [];
    const damaged = async (file: string, damage: DamageRow["damage"], change: (copy: string) => void) => {
      const copy = join(folder, "copy");
      cpSync(used, copy, { recursive: true });
      change(copy);
      rows.push({ file, damage, refusal: await refusalOf(copy, file) });
      rmSync(copy, { recursive: true });
    };
    for (const file of filesOf(used, /^(world|cloud\/(?!logs\/))/)) {
      await damaged(file, "one byte", (copy) => flip(join(copy, file)));
      if (!file.endsWith("seal.json")) await damaged(file, "missing", (copy) => rmSync(join(copy, file)));
    }
    for (const file of filesOf(used, /^(world|cloud\/(?!logs\/))/)) {
      if (file.endsWith("seal.json")) continue;
      await damaged(file, "after a kill: one byte", (copy) => {
        killed(copy);
        flip(join(copy, file));
      });
      // LevelDB's tables and logs come and go; it says itself which of them it misses.
      if (/\/(\d+\.\w+|LOG(\.old)?|MANIFEST-\d+)$/.test(file)) continue;
      await damaged(file, "after a kill: missing", (copy) => {
        killed(copy);
        rmSync(join(copy, file));
      });
    }
    await damaged("home.json", "one byte", (copy) => {
      announce(copy, presence);
      flip(join(copy, "home.json"));
    });
    // That it is missing says that no home runs there.
    await damaged("device/device.sqlite", "one byte", (copy) => {
      const path = join(copy, "device", "device.sqlite");
      const bytes = readFileSync(path);
      bytes.write("Litter 2", bytes.indexOf("Letter 2"));
      writeFileSync(path, bytes);
    });
    await damaged("device/device.sqlite", "cut in half", (copy) => {
      const path = join(copy, "device", "device.sqlite");
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
    });
    await damaged("device/device.sqlite", "emptied", (copy) => {
      writeFileSync(join(copy, "device", "device.sqlite"), "");
    });
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
