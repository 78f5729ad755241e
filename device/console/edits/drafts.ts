import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { isDiskFull } from "../../errors/disk-full.ts";
import { DeviceError } from "../../errors.ts";
import { makePrivateFolder } from "../../private-folder.ts";
import { keptKey } from "../../store/kept-key.ts";

/** Drafts kept of all tabs; a person has a few. */
const mostDrafts = 500;
const fileName = /^([\w-]{22})\.json$/;
const kept = z.strictObject({ v: z.literal(1), sealed: z.string(), at: z.int() });

/** A draft whose file cannot be read: a person is told, as a text of theirs is in it. */
export interface DamagedDraft {
  readonly id: string;
  /** When its file was written last, in milliseconds since the epoch. */
  readonly at: number;
}

export interface SealedDraft {
  readonly id: string;
  /** Encrypted by a tab, with the key that this device gives to tabs. In base64. */
  readonly sealed: string;
  readonly at: number;
}

/**
 * What was typed into files and not saved, encrypted as tabs have it: a file each (0600) in a folder of the console's. A tab keeps
 * the same in the browser while the device does not answer.
 */
export class Drafts {
  readonly #consoleFolder: string;
  readonly #folder: string;

  /** @param consoleFolder as `consoleFolder` */
  constructor(consoleFolder: string) {
    this.#consoleFolder = consoleFolder;
    this.#folder = join(consoleFolder, "drafts");
  }

  /** What drafts are encrypted by, 32 bytes in base64: tabs hold it in memory alone. */
  key(): string {
    return Buffer.from(keptKey(this.#consoleFolder, "drafts")).toString("base64");
  }

  /** @throws DeviceError `folder_unusable` */
  list(): { readonly drafts: readonly SealedDraft[]; readonly damaged: readonly DamagedDraft[] } {
    return onDisk(() => {
      const drafts: SealedDraft[] = [];
      const damaged: DamagedDraft[] = [];
      for (const id of this.#ids()) {
        const found = this.#read(id);
        if (found !== undefined) drafts.push({ id, ...found });
        else damaged.push({ id, at: Math.round(statSync(this.#fileOf(id)).mtimeMs) });
      }
      return { drafts, damaged };
    });
  }

  /** Keeps a draft, unless a later one of it is there. @throws DeviceError `drafts_many`, `store_full`, `folder_unusable` */
  put({ id, sealed, at }: SealedDraft): void {
    onDisk(() => {
      const before = this.#read(id);
      if (before !== undefined && before.at >= at) return;
      if (before === undefined && this.#ids().length >= mostDrafts) throw new DeviceError("drafts_many");
      makePrivateFolder(this.#folder);
      const beside = `${this.#fileOf(id)}~`;
      writeFileSync(beside, JSON.stringify({ v: 1, sealed, at }), { mode: 0o600, flush: true });
      renameSync(beside, this.#fileOf(id));
    });
  }

  /** @throws DeviceError `folder_unusable` */
  remove(id: string): void {
    onDisk(() => rmSync(this.#fileOf(id), { force: true }));
  }

  #ids(): string[] {
    if (statSync(this.#folder, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(this.#folder).flatMap((name) => fileName.exec(name)?.[1] ?? []);
  }

  #fileOf = (id: string) => join(this.#folder, `${id}.json`);

  #read(id: string): Omit<SealedDraft, "id"> | undefined {
    if (statSync(this.#fileOf(id), { throwIfNoEntry: false }) === undefined) return undefined;
    try {
      const { sealed, at } = kept.parse(JSON.parse(readFileSync(this.#fileOf(id), "utf8")));
      return { sealed, at };
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }
}

/** Says why the disk refused; a tab keeps what it has, and shows that. */
function onDisk<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause) || cause instanceof DeviceError) throw cause;
    throw new DeviceError(isDiskFull(cause) ? "store_full" : "folder_unusable", { cause });
  }
}
