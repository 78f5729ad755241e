import { reportFailure } from "../report-failure.ts";

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
 * Announces the mailbox's latest history id, at most once a second, always the last change.
 * `current` gives what to announce, or nothing while nobody watches.
 */
export function createNotifier(
  current: () => GmailNotification | undefined,
  send: (notification: GmailNotification) => void | Promise<void>,
): Notifier {
  let timer: NodeJS.Timeout | undefined;
  let pending = false;
  let closed = false;

  function announce(): void {
    pending = false;
    const notification = current();
    if (notification === undefined) return;
    Promise.resolve(send(notification)).catch((error: unknown) => reportFailure("a notification was not sent", error));
    timer = setTimeout(() => {
      timer = undefined;
      if (pending) announce();
    }, minIntervalMs);
  }

  return {
    changed: () => {
      if (closed) return;
      pending = true;
      if (timer === undefined) announce();
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
