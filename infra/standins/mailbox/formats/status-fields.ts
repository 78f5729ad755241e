/**
 * Fields that mail programs write into an mbox when a person reads, marks or files a message, or the file is saved: Dovecot's
 * (https://doc.dovecot.org/2.3/admin_manual/mailbox_formats/mbox/), mutt's and Alpine's, Thunderbird's, Evolution's.
 */
const names = [
  "Status",
  "X-Status",
  "X-Keywords",
  "X-Label",
  "X-UID",
  "X-UIDL",
  "X-IMAP",
  "X-IMAPbase",
  "Content-Length",
  "Lines",
  "X-Mozilla-Status",
  "X-Mozilla-Status2",
  "X-Mozilla-Keys",
  "X-Evolution",
];
const field = new RegExp(`(?<![^\\n])(?:${names.join("|")})[ \\t]*:[^\\n]*(?:\\n[ \\t][^\\n]*)*\\n?`, "gi");

/**
 * A message's beginning without what mail programs note in its header; the same object when they have noted nothing. The
 * body, and the headers of messages that lie in it, stay.
 */
export function withoutStatusFields(head: Buffer): Buffer {
  const end = headerEnd(head);
  const header = head.toString("latin1", 0, end);
  const kept = header.replace(field, "");
  return kept.length === header.length ? head : Buffer.concat([Buffer.from(kept, "latin1"), head.subarray(end)]);
}

/** Where the first empty line begins; all of it when there is none. */
function headerEnd(head: Buffer): number {
  if (/^\r?\n/.test(head.toString("latin1", 0, 2))) return 0;
  const ends = [head.indexOf("\n\n"), head.indexOf("\n\r\n")].filter((at) => at >= 0);
  return ends.length === 0 ? head.length : Math.min(...ends) + 1;
}

/** Thunderbird's notes, as it writes them above all that was received: a field that a sender has written stands below what servers add. */
const thunderbirds = /^(?:X-(?:Account-Key|UIDL):[^\n]{0,200}\n){0,2}X-Mozilla-Status:[ \t]{0,4}([\da-f]{4})\r?\n/i;
/** `MSG_FLAG_EXPUNGED` of nsMsgMessageFlags. */
const expunged = 0x0008;
const notesBytes = 1_000;

/** Whether a mail program has deleted a message and only left its bytes in the file, until it compacts that. */
export function isDeleted(head: Buffer): boolean {
  const [, flags] = thunderbirds.exec(head.toString("latin1", 0, notesBytes)) ?? [];
  return flags !== undefined && (Number.parseInt(flags, 16) & expunged) !== 0;
}
