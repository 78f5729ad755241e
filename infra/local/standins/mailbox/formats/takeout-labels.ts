import { fieldsOfHead, fieldValue } from "../../../../standins/mailbox/mime/header-fields.ts";

const outsideInbox: Readonly<Record<string, string>> = {
  sent: "SENT",
  drafts: "DRAFT",
  draft: "DRAFT",
  chat: "CHAT",
  spam: "SPAM",
  trash: "TRASH",
};

/**
 * Labels of a message in a Google Takeout export, which puts `X-GM-THRID` and `X-Gmail-Labels` in front of every
 * header. Only there are they believed: a sender can write them too. What the owner wrote, drafted or threw away stays
 * where it was; everything received counts as new in the inbox. Undefined when the message is not from such an export.
 */
export function takeoutLabels(head: Buffer): string[] | undefined {
  if (!/^X-GM-THRID:/i.test(head.toString("latin1", 0, 16))) return undefined;
  const fields = fieldsOfHead(head);
  if (fields[1]?.name.toLowerCase() !== "x-gmail-labels") return undefined;
  const names = fieldValue(fields, "X-Gmail-Labels")
    .split(",")
    .map((name) => name.trim().toLowerCase());
  const elsewhere = names.map((name) => outsideInbox[name]).find((label) => label !== undefined);
  if (elsewhere !== undefined && !names.includes("inbox")) return [elsewhere];
  return [
    "INBOX",
    "UNREAD",
    ...(names.includes("starred") ? ["STARRED"] : []),
    ...(names.includes("important") ? ["IMPORTANT"] : []),
  ];
}
