import { type FSWatcher, watch } from "node:fs";

export interface FileWatcher {
  close(): void;
}

/** Quiet time after the last change before the mailbox is read again. */
const quietMs = 150;
/** Some file systems tell nothing (network mounts): look anyway this often. */
const rescanEveryMs = 5_000;

/**
 * Calls `rescan` when something below a path has changed and then been quiet for a moment, and every few seconds anyway.
 * `rescan` says whether something was still changing, and is then called again; it is never called twice at once.
 */
export function watchFiles(
  path: string,
  recursive: boolean,
  rescan: () => Promise<{ unsettled: boolean }>,
): FileWatcher {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  let closed = false;
  let watcher: FSWatcher | undefined;

  function schedule(delayMs: number): void {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(run, delayMs);
    timer.unref();
  }

  function run(): void {
    if (running) {
      again = true;
      return;
    }
    running = true;
    rescan()
      .then(({ unsettled }) => unsettled)
      .catch((error: unknown) => {
        process.stderr.write(`stand-in: mailbox not read: ${error instanceof Error ? error.message : "unknown"}\n`);
        return false;
      })
      .then((unsettled) => {
        running = false;
        schedule(unsettled || again ? quietMs : rescanEveryMs);
        again = false;
      });
  }

  try {
    watcher = watch(path, { recursive }, () => {
      if (running) again = true;
      else schedule(quietMs);
    });
    watcher.on("error", () => watcher?.close());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  schedule(rescanEveryMs);

  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
