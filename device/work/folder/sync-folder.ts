import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeviceError } from "../../errors.ts";
import { takeFileLock } from "../../store/held-locks.ts";
import type { DeviceStore } from "../../store/open.ts";
import { addEntity, editEntity } from "../change-entities.ts";
import { importEvents } from "../interchange/import-events.ts";
import { readCalendar } from "../interchange/read-calendar.ts";
import { writeCalendar } from "../interchange/write-calendar.ts";
import { FolderFiles, hashOf } from "./folder-files.ts";
import { noteName, noteOfText, noteText } from "./note-file.ts";
import { type FolderRecord, readRecords, workFolder, writeRecords } from "./work-folder.ts";

/** What became of the files. */
export interface SyncedFolder {
  /** Names of files that say now what this device holds. */
  readonly written: readonly string[];
  /** Names of files whose changes this device has taken. */
  readonly taken: readonly string[];
  /** Changed on both sides, or not to be read, as sentences: each file stays as the person left it. */
  readonly conflicts: readonly string[];
}

const calendarName = "calendar.ics";
const lockTries = 40;
const lockPauseMs = 50;

interface Sides {
  readonly name: string;
  /** What this device would write; undefined when what it says is gone here. */
  readonly wanted: string | undefined;
  readonly note?: string;
  /** Whether a text says what is wanted, in other words. */
  readonly isSaidBy: (text: string) => boolean;
  /** Takes the person's text; says what of it could not be taken. */
  readonly take: (text: string) => string | undefined;
}

/**
 * Brings the person's folder and this device to the same: notes as Markdown files, events as one calendar file.
 *
 *     file as it was    device changed   → written, whole or not at all
 *     file changed      device as it was → taken, as a change that can be undone
 *     both changed      the file stays; the device's version is put beside it, until that is taken away
 *
 * A file is written first and noted after it (a new one before it), a change is taken and noted in one transaction: whoever is
 * killed in between finds both sides saying the same, or does the same again.
 *
 * @returns undefined when the person has chosen no folder
 * @throws DeviceError `export_failed`, and those of the store
 */
export async function syncWorkFolder(store: DeviceStore, nowMs: number): Promise<SyncedFolder | undefined> {
  const root = workFolder(store);
  if (root === undefined) return undefined;
  const release = await lockOf(store);
  if (release === undefined) return { written: [], taken: [], conflicts: [] };
  try {
    return await new FolderSync(store, new FolderFiles(root, store.newId), nowMs).all();
  } finally {
    release();
  }
}

/** Processes of one data folder take turns; one that waits for long leaves it to the other. */
async function lockOf({ dataFolder }: DeviceStore): Promise<(() => void) | undefined> {
  for (let times = 0; times < lockTries; times += 1) {
    const release = takeFileLock(path.join(dataFolder, "work-folder.lock"));
    if (release !== undefined) return release;
    await pause(lockPauseMs);
  }
  return undefined;
}

class FolderSync {
  readonly #store: DeviceStore;
  readonly #files: FolderFiles;
  readonly #nowMs: number;
  readonly #records: Map<string, FolderRecord>;
  readonly #written: string[] = [];
  readonly #taken: string[] = [];
  readonly #conflicts: string[] = [];

  constructor(store: DeviceStore, files: FolderFiles, nowMs: number) {
    this.#store = store;
    this.#files = files;
    this.#nowMs = nowMs;
    this.#records = readRecords(store);
  }

  async all(): Promise<SyncedFolder> {
    this.#notes();
    await this.#calendar();
    // What was taken just now is agreed on as the device has it.
    await this.#calendar();
    return { written: this.#written, taken: this.#taken, conflicts: [...new Set(this.#conflicts)] };
  }

  #notes(): void {
    const { note: notes } = this.#store.work;
    this.#follow(this.#files.markdownIn("notes"));
    for (const [name, { note: id }] of [...this.#records]) {
      if (id === undefined) continue;
      const note = notes.find(id);
      const wanted = note && noteText(note);
      this.#attempt({
        name,
        note: id,
        wanted,
        isSaidBy: (text) => noteText(noteOfText(text, name)) === wanted,
        take: (text) => void editEntity(this.#store, "note", id, noteOfText(text, name), this.#nowMs),
      });
    }
    const copies = new Set([...this.#records.values()].map(({ copy }) => copy));
    for (const name of this.#files.markdownIn("notes")) {
      if (!this.#records.has(name) && !copies.has(name)) this.#fresh(name);
    }
    const known = new Set([...this.#records.values()].map(({ note }) => note));
    for (const note of notes.list().filter(({ id }) => !known.has(id))) {
      const name = noteName(note.title, (each) => this.#records.has(each) || this.#files.has(each));
      this.#write({ name, note: note.id }, noteText(note));
    }
  }

  /** A file under another name is the same note, where it says what that said. */
  #follow(onDisk: readonly string[]): void {
    const missing = [...this.#records].filter(([name, { note }]) => note !== undefined && !this.#files.has(name));
    for (const name of onDisk.filter((each) => !this.#records.has(each))) {
      const text = this.#textOr(name);
      const was = text === undefined ? undefined : missing.find(([, { file }]) => file === hashOf(text));
      if (was === undefined || !this.#records.delete(was[0])) continue;
      this.#agree(name, was[1]);
    }
  }

  /** A file the person has put there is a note from now on. */
  #fresh(name: string): void {
    const text = this.#textOr(name);
    if (text === undefined) return;
    try {
      this.#store.transaction(() => {
        const note = addEntity(this.#store, "note", noteOfText(text, name), this.#nowMs);
        this.#agree(name, { file: hashOf(text), device: hashOf(noteText(note)), note: note.id });
      });
      this.#taken.push(name);
    } catch (error) {
      this.#records.delete(name);
      if (!isDeviceError(error, "value_invalid")) throw error;
      this.#conflicts.push(`${name} was not taken as a note: ${error.message}`);
    }
  }

  async #calendar(): Promise<void> {
    const { event } = this.#store.work;
    const before = this.#textOr(calendarName);
    const events = event.list();
    if (before === undefined && (events.length === 0 || this.#files.has(calendarName))) return;
    const read = before === undefined ? "" : await readOr(before);
    const wanted = await writeCalendar(events);
    this.#attempt({
      name: calendarName,
      wanted,
      isSaidBy: () => false,
      take: (text) => {
        if (text !== before) return "it changes just now";
        if (typeof read === "string") return read;
        const { untaken } = importEvents(this.#store, read, this.#nowMs);
        return untaken.length === 0 ? undefined : untaken.map(({ title, why }) => `${title}: ${why}`).join("; ");
      },
    });
  }

  #attempt(sides: Sides): void {
    try {
      this.#bring(sides);
    } catch (error) {
      if (!isDeviceError(error, "import_invalid")) throw error;
      this.#conflicts.push(`${sides.name} was not taken: ${error.message}`);
    }
  }

  #bring(sides: Sides): void {
    const { name, note, wanted, isSaidBy } = sides;
    const found = this.#files.read(name);
    const record = this.#records.get(name);
    const isFileAsItWas = found === undefined || (record !== undefined && hashOf(found) === record.file);
    if (wanted === undefined) {
      this.#gone(name, isFileAsItWas);
      return;
    }
    const device = hashOf(wanted);
    const isDeviceAsItWas = record?.device === device;
    const agreed = { device, ...(note !== undefined && { note }) };
    if (found !== undefined && (found === wanted || isSaidBy(found))) {
      const isKnown = isFileAsItWas && isDeviceAsItWas && record.copy === undefined;
      if (!isKnown) this.#agree(name, { file: hashOf(found), ...agreed });
    } else if (found !== undefined && isFileAsItWas && record?.device === null) {
      this.#agree(name, { file: hashOf(found), ...agreed });
    } else if (found === undefined || (isFileAsItWas && !isDeviceAsItWas)) this.#write(sides, wanted, found);
    else if (record?.copy !== undefined && this.#files.has(record.copy)) this.#say(name, record.copy);
    else if (isFileAsItWas) return;
    else if (record === undefined || isDeviceAsItWas || record.copy !== undefined) this.#take(sides, found);
    else this.#conflict(name, wanted, record);
  }

  /** What is gone here goes there too, unless the person has changed it: then it is a note of its own. */
  #gone(name: string, isFileAsItWas: boolean): void {
    if (isFileAsItWas) {
      this.#files.remove(name);
      this.#written.push(name);
    }
    this.#records.delete(name);
    writeRecords(this.#store, this.#records);
  }

  #take({ name, note, take }: Sides, text: string): void {
    const before = this.#records.get(name);
    try {
      let left: string | undefined;
      this.#store.transaction(() => {
        left = take(text);
        this.#agree(name, { file: hashOf(text), device: null, ...(note !== undefined && { note }) });
      });
      this.#taken.push(name);
      if (left !== undefined) this.#conflicts.push(`Not all of ${name} was taken: ${left}`);
    } catch (error) {
      if (before === undefined) this.#records.delete(name);
      else this.#records.set(name, before);
      if (!isDeviceError(error, "value_invalid")) throw error;
      this.#conflicts.push(`${name} was not taken: ${error.message}`);
    }
  }

  #conflict(name: string, wanted: string, record: FolderRecord): void {
    const copy = besideName(name, "of this device");
    this.#files.write(copy, wanted);
    this.#agree(name, { ...record, device: hashOf(wanted), copy });
    this.#say(name, copy);
  }

  #say(name: string, copy: string): void {
    this.#conflicts.push(
      `${name} has changed both in the folder and on this device. Your file is as you left it, this device's version is ${copy}: put what you want of it into ${name}, then remove ${copy}.`,
    );
  }

  /** A file in other words than this device's own is kept beside it: a calendar has things that are not kept here. */
  #write({ name, note }: Pick<Sides, "name" | "note">, text: string, found?: string): void {
    const record = this.#records.get(name);
    if (name === calendarName && found !== undefined && record?.file !== record?.device) {
      this.#files.write(besideName(name, "as you left it"), found);
    }
    const hash = hashOf(text);
    const agreed = { file: hash, device: hash, ...(note !== undefined && { note }) };
    // A new file that nobody knows would be taken for a new note.
    if (found === undefined) this.#agree(name, agreed);
    this.#files.write(name, text);
    if (found !== undefined) this.#agree(name, agreed);
    this.#written.push(name);
  }

  #agree(name: string, record: FolderRecord): void {
    this.#records.set(name, record);
    writeRecords(this.#store, this.#records);
  }

  /** Undefined when there is none, or it is no text, which is said. */
  #textOr(name: string): string | undefined {
    try {
      return this.#files.read(name);
    } catch (error) {
      if (!isDeviceError(error, "import_invalid")) throw error;
      this.#conflicts.push(`${name} was not taken: ${error.message}`);
      return undefined;
    }
  }
}

const besideName = (name: string, what: string): string => name.replace(/(\.\w+)$/u, ` (${what})$1`);

async function readOr(text: string) {
  try {
    return await readCalendar(text);
  } catch (error) {
    if (isDeviceError(error, "import_invalid")) return error.message;
    throw error;
  }
}
