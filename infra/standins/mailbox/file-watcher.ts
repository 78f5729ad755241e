import { type FSWatcher, watch } from "node:fs";
import { reportTrouble } from "../report-failure.ts";
import { StandInError } from "../stand-in-error.ts";
import { ToldOnce } from "../told-once.ts";
import type { MailSource } from "./formats/mail-files.ts";
import { type WatchedPlaces, watchedPlaces } from "./formats/source.ts";

export interface FileWatcher {
  close(): void;
}

/** Quiet time after the last change before the mailbox is read again. */
const quietMs = 150;
/** Some file systems tell nothing (network mounts): look anyway, at least this often … */
const rescanEveryMs = 5_000;
/** … but spend no more than a twentieth of the time on it. */
const restShare = 20;

/**
 * Calls `rescan` when something in the mailbox's folders has changed and then been quiet for a moment, and now and then
 * anyway. `rescan` says whether something was still changing, and is then called again; never twice at once. Folders are
 * watched one by one: a recursive watch would take a handle for every message.
 *
 * @param onReadable told when the files cannot be read any more, and when they can again
 */
export function watchFiles(
  source: MailSource,
  rescan: () => Promise<{ unsettled: boolean }>,
  onReadable: (readable: boolean) => void = () => {},
): FileWatcher {
  const watchers = new Map<string, FSWatcher>();
  let names: WatchedPlaces["names"];
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  let closed = false;
  let lost = false;
  const told = new ToldOnce("the mailbox was not read, and is tried again");

  function schedule(delayMs: number): void {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(run, delayMs);
    timer.unref();
  }

  function changed(name: string | null): void {
    if (name !== null && names?.has(name) === false) return;
    if (running) again = true;
    else schedule(quietMs);
  }

  function run(): void {
    if (closed) return;
    running = true;
    again = false;
    const startedMs = performance.now();
    look()
      .then((result) => {
        if (lost) found();
        told.passed();
        return result;
      })
      .catch((error: unknown) => {
        if (error instanceof StandInError) lose(error);
        else told.failed(error);
        return { unsettled: false };
      })
      .then(({ unsettled }) => {
        running = false;
        const restMs = Math.max(rescanEveryMs, restShare * (performance.now() - startedMs));
        schedule(unsettled || again ? quietMs : restMs);
      });
  }

  /** Told once: a drive that is unplugged is looked for every few seconds. */
  function lose({ code, message }: StandInError): void {
    if (lost || closed) return;
    lost = true;
    const away = `The mailbox ${source.path} cannot be read. Was it moved, or is its drive not there?`;
    reportTrouble(`${code === "mailbox_not_mail" ? message : away} It is looked for, and read again when it is back.`);
    onReadable(false);
  }

  function found(): void {
    lost = false;
    reportTrouble(`The mailbox ${source.path} can be read again.`);
    onReadable(true);
  }

  async function look(): Promise<{ unsettled: boolean }> {
    const result = await rescan();
    await watchFolders();
    return result;
  }

  async function watchFolders(): Promise<void> {
    const places = await watchedPlaces(source);
    if (closed) return;
    ({ names } = places);
    const { folders } = places;
    for (const folder of folders) {
      if (!watchers.has(folder)) watchFolder(folder);
    }
    for (const [folder, watcher] of watchers) {
      if (folders.includes(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
  }

  function watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, (_event, name) => changed(name));
      watcher.on("error", () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, watcher);
    } catch (error) {
      // No handles left, or the folder is gone again: looking every few seconds must do.
      if (!(error instanceof Error)) throw error;
    }
  }

  // Reading once more after the watches stand finds what was dropped in while they were being set up.
  running = true;
  watchFolders().then(run, run);

  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
