import { fieldsOfHead, fieldValue } from "../mime/header-fields.ts";
import { labelName } from "./label-names.ts";
import { withoutStatusFields } from "./status-fields.ts";

/** Where the export says a message lies, when that is not among what was received. */
const outsideInbox: Readonly<Record<string, string>> = {
  sent: "SENT",
  drafts: "DRAFT",
  chat: "CHAT",
  spam: "SPAM",
  trash: "TRASH",
};

export interface ExportedLabels {
  /** As Gmail's API names them. */
  readonly labels: readonly string[];
  /** As the export lists them, the system's own in English; lower case. */
  readonly names: readonly string[];
}

/** The fields Takeout puts in front of every header: `X-GM-THRID`, and `X-Gmail-Labels` folded over any number of lines. */
const exportFields = /^X-GM-THRID:[^\n]*\n(?:[ \t][^\n]*\n)*X-Gmail-Labels:[^\n]*\n(?:[ \t][^\n]*\n)*/i;
/** No person has more labels than this on one mail. */
const maxFieldBytes = 16 * 1024;

/**
 * A message's beginning as it was received: without the fields an export has put in front of it, where a newer export
 * writes other labels, and without what mail programs note in it. The same object when there is nothing of either.
 */
export function asReceived(head: Buffer): Buffer {
  const bare = withoutStatusFields(head);
  const exported = exportFieldBytes(bare);
  return exported === 0 ? bare : bare.subarray(exported);
}

/** How many bytes of a message's beginning the export has put there; 0 when it is from no export. */
function exportFieldBytes(head: Buffer): number {
  return exportFields.exec(head.toString("latin1", 0, maxFieldBytes))?.[0].length ?? 0;
}

/**
 * Labels of a message in a Google Takeout export. Only in front of every header are they believed (a mail program's notes may
 * come before them): a sender can write them too. What the owner wrote, drafted or threw away stays where it was; everything received counts as new in the
 * inbox, archived or not. Undefined when the message is not from such an export.
 */
export function takeoutLabels(head: Buffer): ExportedLabels | undefined {
  const bare = withoutStatusFields(head);
  const length = exportFieldBytes(bare);
  if (length === 0) return undefined;
  const fields = fieldsOfHead(bare.subarray(0, length));
  const names = splitNames(fieldValue(fields, "X-Gmail-Labels")).map(labelName);
  const elsewhere = names.map((name) => outsideInbox[name]).find((label) => label !== undefined);
  if (elsewhere !== undefined && !names.includes("inbox")) return { labels: [elsewhere], names };
  const marks = [
    ...(names.includes("starred") ? ["STARRED"] : []),
    ...(names.includes("important") ? ["IMPORTANT"] : []),
  ];
  return { labels: ["INBOX", "UNREAD", ...marks], names };
}

/** At commas, but not those inside quotes: a label may have one in its name. */
function splitNames(list: string): string[] {
  return [...list.matchAll(/"([^"]*)"|[^,]+/g)].map(([whole, quoted]) => (quoted ?? whole).trim()).filter(Boolean);
}
