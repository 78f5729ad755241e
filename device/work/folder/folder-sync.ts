import { setImmediate as othersTurn } from "node:timers/promises";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { addEntity, editEntity } from "../change-entities.ts";
import type { Note } from "../entities.ts";
import { importEvents } from "../interchange/import-events.ts";
import { readCalendar } from "../interchange/read-calendar.ts";
import { writeCalendar } from "../interchange/write-calendar.ts";
import { whyRefused } from "../why-refused.ts";
import { FileMerge, type SyncedFolder, sameOnBothSides } from "./file-merge.ts";
import { FolderFiles, hashOf } from "./folder-files.ts";
import { KnownFiles } from "./known-files.ts";
import { noteName, noteOfText, noteText } from "./note-file.ts";

const calendarName = "calendar.ics";
/** New files that are noted in one transaction, which waits for the disk as each file does. */
const notesPerBatch = 50;

/** One sync of a folder, by who holds its lock: see sync-folder.ts. Others have their turn at each file. */
export class FolderSync {
  readonly #store: DeviceStore;
  readonly #files: FolderFiles;
  readonly #nowMs: number;
  readonly #known: KnownFiles;
  readonly #merge: FileMerge;

  constructor(store: DeviceStore, root: string, nowMs: number) {
    this.#store = store;
    this.#files = new FolderFiles(root, store.newId);
    this.#nowMs = nowMs;
    this.#known = new KnownFiles(store, root);
    this.#merge = new FileMerge(this.#files, this.#known);
  }

  async all(): Promise<SyncedFolder> {
    this.#files.requireFolder();
    this.#files.removeDrafts();
    await this.#follow();
    await this.#knownNotes();
    await this.#freshFiles();
    await this.#freshNotes();
    await this.#calendar();
    const { written, taken, conflicts } = this.#merge;
    const leftOut = this.#files.leftOutIn("notes", (name) => this.#known.has(name));
    return { written, taken, conflicts: [...new Set(conflicts)], leftOut };
  }

  /** A file under another name is the same note, where it says what that said. */
  async #follow(): Promise<void> {
    const missing = this.#known.all().filter(([name, { noteId }]) => noteId !== null && !this.#files.has(name));
    const byHash = Map.groupBy(missing, ([, { file }]) => file);
    for (const name of this.#unknownFiles()) {
      await othersTurn();
      const text = this.#merge.textOf(name);
      const was = typeof text === "string" ? byHash.get(hashOf(text))?.shift() : undefined;
      if (was !== undefined) this.#known.rename(was[0], name, was[1]);
    }
  }

  async #knownNotes(): Promise<void> {
    for (const [name, { noteId }] of this.#known.all()) {
      if (noteId === null) continue;
      await othersTurn();
      const found = this.#merge.textOf(name);
      if (found === null) continue;
      const note = this.#store.work.note.find(noteId);
      const wanted = note && noteText(note);
      const isSaidBy = (text: string) => noteText(noteOfText(text, name)) === wanted;
      const take = (text: string) => {
        const taken = editEntity(this.#store, "note", noteId, noteOfText(text, name), this.#nowMs);
        return { wanted: noteText(taken) };
      };
      this.#merge.bring({ name, noteId, wanted, isSaidBy, take }, found);
    }
  }

  /** A file the person has put there is a note from now on, or the one that says the same: the folder may have been moved. */
  async #freshFiles(): Promise<void> {
    const copies = new Set(this.#known.all().map(([, { copy }]) => copy));
    const unwritten = Map.groupBy(this.#unknownNotes(), noteText);
    for (const name of this.#unknownFiles().filter((each) => !copies.has(each))) {
      await othersTurn();
      const text = this.#merge.textOf(name);
      if (typeof text !== "string") continue;
      const said = noteOfText(text, name);
      const same = unwritten.get(noteText(said))?.pop();
      try {
        this.#known.agree(name, () => {
          const note = same ?? addEntity(this.#store, "note", said, this.#nowMs);
          return { file: hashOf(text), device: hashOf(noteText(note)), noteId: note.id, copy: null };
        });
        if (same === undefined) this.#merge.taken.push(name);
      } catch (error) {
        if (!isDeviceError(error, "value_invalid")) throw error;
        this.#merge.conflicts.push(`${name} was not taken as a note: ${whyRefused(error)}`);
      }
    }
  }

  /** Files are noted before they are made: one that nobody knows would be taken for a new note. */
  async #freshNotes(): Promise<void> {
    const fresh = this.#unknownNotes().map(({ id }) => id);
    for (let at = 0; at < fresh.length; at += notesPerBatch) {
      const texts = this.#named(fresh.slice(at, at + notesPerBatch));
      this.#known.agreeOnAll([...texts].map(([name, { id, text }]) => [name, sameOnBothSides(id, text)]));
      for (const [name, { text }] of texts) {
        await othersTurn();
        if (this.#files.writeOver(name, undefined, text)) this.#merge.written.push(name);
        // Somebody has just made one of that name: the note gets another one the next time.
        else this.#known.forget(name);
      }
    }
  }

  /** What new files are called, and say. */
  #named(ids: readonly string[]): Map<string, { readonly id: string; readonly text: string }> {
    const texts = new Map<string, { readonly id: string; readonly text: string }>();
    const isTaken = (name: string) => texts.has(name) || this.#known.has(name) || this.#files.has(name);
    for (const id of ids) {
      const note = this.#store.work.note.find(id);
      if (note !== undefined) texts.set(noteName(note.title, isTaken), { id, text: noteText(note) });
    }
    return texts;
  }

  async #calendar(): Promise<void> {
    const { event } = this.#store.work;
    const found = this.#merge.textOf(calendarName);
    const events = event.list();
    if (found === null || (found === undefined && events.length === 0)) return;
    const read = found === undefined ? "" : await readOr(found);
    const wanted = await writeCalendar(events);
    const take = () => {
      if (typeof read === "string") return { wanted: null, left: read };
      const { untaken } = importEvents(this.#store, read, this.#nowMs);
      const left = untaken.map(({ title, why }) => `${title}: ${why}`).join("; ");
      return { wanted: null, left: left === "" ? undefined : left };
    };
    this.#merge.bring({ name: calendarName, noteId: null, wanted, isSaidBy: () => false, take }, found);
    const taken = this.#known.get(calendarName);
    if (taken?.device !== null) return;
    // As the device has it in this very turn: what is changed from now on is written by the next sync.
    const device = hashOf(await writeCalendar(event.list()));
    this.#known.agree(calendarName, () => ({ ...taken, device }));
  }

  #unknownFiles(): string[] {
    return this.#files.markdownIn("notes").filter((name) => !this.#known.has(name));
  }

  /** Notes that have no file. */
  #unknownNotes(): Note[] {
    const known = new Set(this.#known.all().map(([, { noteId }]) => noteId));
    return this.#store.work.note.list().filter(({ id }) => !known.has(id));
  }
}

async function readOr(text: string) {
  try {
    return await readCalendar(text);
  } catch (error) {
    if (isDeviceError(error, "import_invalid")) return error.message;
    throw error;
  }
}
