import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../transaction.ts";
import type { History } from "./store/history.ts";
import { type MessageRow, type Messages, presence } from "./store/messages.ts";

export interface Changes {
  /** Lets up to `limit` waiting messages arrive in one transaction; the number that did. */
  arrive(limit: number): number;
  /** Has a message that lay elsewhere come into the inbox, as new mail. */
  callIn(id: string): void;
  /** Adds and removes labels as Gmail does, with their history records; false when nothing changed. */
  relabel(message: MessageRow, add: readonly string[], remove: readonly string[]): boolean;
  /** Takes a message away for good, or until its file comes back. */
  disappear(id: string, value: "missing" | "removed"): void;
}

/** Everything that may happen to the mailbox, each with its history record. */
export function createChanges(
  database: DatabaseSync,
  messages: Messages,
  history: History,
  clock: () => number,
  onChange: () => void,
): Changes {
  return {
    arrive: (limit) => {
      const waiting = messages.waiting(limit);
      if (waiting.length === 0) return 0;
      inTransaction(database, () => {
        for (const message of waiting) {
          const labels = message.look === "yes" ? inInbox(message.labels) : message.labels;
          const historyId = history.append(message.id, "messageAdded", labels);
          if (labels !== message.labels) messages.setLabels(message.id, labels, historyId);
          messages.arrive(message.id, message.arrived === 1 ? message.internal_date_ms : clock(), historyId);
        }
      });
      onChange();
      return waiting.length;
    },
    callIn: (id) => {
      const message = messages.byId(id);
      if (message === undefined) return;
      const labels = inInbox(message.labels);
      inTransaction(database, () => {
        messages.setLabels(id, labels, history.append(id, "messageAdded", labels));
      });
      onChange();
    },
    relabel: (message, add, remove) => {
      const removed = message.labels.filter((label) => remove.includes(label) && !add.includes(label));
      const added = [...new Set(add)].filter((label) => !message.labels.includes(label));
      if (removed.length + added.length === 0) return false;
      const labels = [...message.labels.filter((label) => !removed.includes(label)), ...added];
      inTransaction(database, () => {
        let historyId = history.current();
        if (added.length > 0) historyId = history.append(message.id, "labelAdded", added);
        if (removed.length > 0) historyId = history.append(message.id, "labelRemoved", removed);
        messages.setLabels(message.id, labels, historyId);
      });
      onChange();
      return true;
    },
    disappear: (id, value) => {
      inTransaction(database, () => {
        messages.setPresence(id, presence[value]);
        history.append(id, "messageDeleted", []);
      });
      onChange();
    },
  };
}

/** Labels of a message that is looked at, wherever it lay: a scout watches the inbox. */
function inInbox(labels: readonly string[]): readonly string[] {
  if (labels.includes("INBOX")) return labels;
  const elsewhere = ["SENT", "DRAFT", "CHAT", "SPAM", "TRASH"];
  return ["INBOX", "UNREAD", ...labels.filter((label) => label !== "UNREAD" && !elsewhere.includes(label))];
}
