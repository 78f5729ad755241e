import { type After, systemAfter } from "../../../shared/ports/clock.ts";
import { againMs, ToldOnce } from "../told-once.ts";

export interface GmailNotification {
  readonly emailAddress: string;
  readonly historyId: string;
}

export interface Notifier {
  /** Something changed: announce it now, or as soon as the rate allows. Changes in between are announced as one. */
  changed(): void;
  close(): void;
}

/** Gmail sends at most one notification a second for a user (push guide, "Notification rate limits"). */
const minIntervalMs = 1000;

/**
 * Announces the mailbox's latest history id, at most once a second, always the last change; what cannot be sent is tried again.
 * `current` gives what to announce, or nothing while nobody watches.
 */
export function createNotifier(
  current: () => GmailNotification | undefined,
  send: (notification: GmailNotification) => void | Promise<void>,
  after: After = systemAfter,
): Notifier {
  const told = new ToldOnce("a notification was not sent, and is tried again");
  let stopWaiting = () => {};
  let endInterval: (() => void) | undefined;
  let pending = false;
  let closed = false;

  function announce(): void {
    pending = false;
    const notification = current();
    if (notification === undefined) return;
    Promise.resolve(send(notification)).then(() => told.passed(), failed);
    endInterval = after(minIntervalMs, () => {
      endInterval = undefined;
      if (pending) announce();
    });
  }

  function failed(error: unknown): void {
    told.failed(error);
    stopWaiting();
    stopWaiting = after(againMs, changed);
  }

  function changed(): void {
    if (closed) return;
    pending = true;
    if (endInterval === undefined) announce();
  }

  return {
    changed,
    close: () => {
      closed = true;
      stopWaiting();
      endInterval?.();
    },
  };
}
