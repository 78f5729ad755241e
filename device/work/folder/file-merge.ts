import { isDeviceError } from "../../errors.ts";
import type { WorkFile } from "../../store/work-schema.ts";
import { whyRefused } from "../why-refused.ts";
import { type FolderFiles, hashOf } from "./folder-files.ts";
import { keepBeside } from "./keep-beside.ts";
import type { KnownFiles } from "./known-files.ts";
import type { LeftOut } from "./left-out.ts";

/** What became of the files. */
export interface SyncedFolder {
  /** Names of files that say now what this device holds. */
  readonly written: readonly string[];
  /** Names of files whose changes this device has taken. */
  readonly taken: readonly string[];
  /** Changed on both sides, or not to be read, as sentences: each file stays as the person left it. */
  readonly conflicts: readonly string[];
  /** What lies among the notes and is none. */
  readonly leftOut: readonly LeftOut[];
}

/** What became of a text that was taken. */
interface Taken {
  /** What this device would write now; null where that is worked out afterwards. */
  readonly wanted: string | null;
  /** What of it could not be taken. */
  readonly left?: string | undefined;
}

/** A file, and what this device says in its place. */
export interface Sides {
  readonly name: string;
  /** What this device would write; undefined when what it says is gone here. */
  readonly wanted: string | undefined;
  /** The note it is; null for the calendar. */
  readonly noteId: string | null;
  /** Whether a text says what is wanted, in other words. */
  readonly isSaidBy: (text: string) => boolean;
  readonly take: (text: string) => Taken;
}

/** Brings each file and this device to the same, by what both said before: see sync-folder.ts. */
export class FileMerge implements Omit<SyncedFolder, "leftOut"> {
  readonly written: string[] = [];
  readonly taken: string[] = [];
  readonly conflicts: string[] = [];
  readonly #files: FolderFiles;
  readonly #known: KnownFiles;

  constructor(files: FolderFiles, known: KnownFiles) {
    this.#files = files;
    this.#known = known;
  }

  /**
   * @param found what the file says; undefined where there is none. What is saved there from now on is left alone.
   * @throws DeviceError `export_failed`, and what `take` throws but for `value_invalid`
   */
  bring(sides: Sides, found: string | undefined): void {
    try {
      this.#merge(sides, found);
    } catch (error) {
      if (!isDeviceError(error, "import_invalid")) throw error;
      this.conflicts.push(`${sides.name} was not taken: ${error.message}`);
    }
  }

  #merge(sides: Sides, found: string | undefined): void {
    const { name, noteId, wanted, isSaidBy } = sides;
    const record = this.#known.get(name);
    const isFileAsItWas = found === undefined || (record !== undefined && hashOf(found) === record.file);
    if (wanted === undefined) {
      this.#gone(name, isFileAsItWas);
      return;
    }
    const device = hashOf(wanted);
    const isDeviceAsItWas = record?.device === device;
    const agreed = { device, noteId, copy: null };
    if (found !== undefined && (found === wanted || isSaidBy(found))) {
      const isKnown = isFileAsItWas && isDeviceAsItWas && record.copy === null;
      if (!isKnown) this.#known.agree(name, () => ({ file: hashOf(found), ...agreed }));
    } else if (found !== undefined && isFileAsItWas && record?.device === null) {
      this.#known.agree(name, () => ({ file: hashOf(found), ...agreed }));
    } else if (found === undefined || (isFileAsItWas && !isDeviceAsItWas)) this.#write(sides, wanted, found);
    else if (typeof record?.copy === "string" && this.#files.has(record.copy)) this.#say(name, record.copy);
    else if (isFileAsItWas) return;
    else if (record === undefined || isDeviceAsItWas || record.copy !== null) this.#take(sides, found);
    else this.#conflict(name, wanted, record);
  }

  /** What is gone here goes there too, unless the person has changed it: then it is a note of its own. */
  #gone(name: string, isFileAsItWas: boolean): void {
    if (isFileAsItWas) {
      this.#files.remove(name);
      this.written.push(name);
    }
    this.#known.forget(name);
  }

  #take({ name, noteId, take }: Sides, text: string): void {
    let left: string | undefined;
    try {
      this.#known.agree(name, () => {
        const taken = take(text);
        ({ left } = taken);
        return { file: hashOf(text), device: taken.wanted && hashOf(taken.wanted), noteId, copy: null };
      });
      this.taken.push(name);
      if (left !== undefined) this.conflicts.push(`Not all of ${name} was taken: ${left}`);
    } catch (error) {
      if (!isDeviceError(error, "value_invalid")) throw error;
      this.conflicts.push(`${name} was not taken: ${whyRefused(error)}`);
    }
  }

  #conflict(name: string, wanted: string, record: WorkFile): void {
    const copy = keepBeside(this.#files, [name, "of this device", wanted], (each) => !this.#known.has(each));
    this.#known.agree(name, () => ({ ...record, device: hashOf(wanted), copy }));
    this.#say(name, copy);
  }

  #say(name: string, copy: string): void {
    this.conflicts.push(
      `${name} has changed both in the folder and on this device. Your file is as you left it, this device's version is ${copy}: put what you want of it into ${name}, then remove ${copy}.`,
    );
  }

  /**
   * A file in other words than this device's own is kept beside it: a calendar has things that are not kept here. What somebody saves
   * there at this very moment stays, and is looked at the next time.
   */
  #write({ name, noteId }: Pick<Sides, "name" | "noteId">, text: string, found?: string): void {
    const record = this.#known.get(name);
    if (noteId === null && found !== undefined && record?.file !== record?.device) {
      keepBeside(this.#files, [name, "as you left it", found], () => true);
    }
    const agreed = sameOnBothSides(noteId, text);
    if (found === undefined) this.#known.agree(name, () => agreed);
    if (this.#files.writeOver(name, found, text)) {
      if (found !== undefined) this.#known.agree(name, () => agreed);
      this.written.push(name);
    } else if (found === undefined) {
      if (record === undefined) this.#known.forget(name);
      else this.#known.agree(name, () => record);
    }
  }

  /** Undefined when there is none; null when it is no text, which is said. @throws DeviceError `export_failed` */
  textOf(name: string): string | undefined | null {
    try {
      return this.#files.read(name);
    } catch (error) {
      if (!isDeviceError(error, "import_invalid")) throw error;
      this.conflicts.push(`${name} was not taken: ${error.message}`);
      return null;
    }
  }
}

/** What is known of a file that says just what this device writes. */
export const sameOnBothSides = (noteId: string | null, text: string): WorkFile => {
  const hash = hashOf(text);
  return { file: hash, device: hash, noteId, copy: null };
};
