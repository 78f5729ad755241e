import { list, string } from "../wire/written.ts";
import { addressList } from "./addresses.ts";
import { fieldValue, type RawField } from "./header.ts";

/** ENVELOPE (RFC 3501 §7.4.2): date, subject, from, sender, reply-to, to, cc, bcc, in-reply-to, message-id. */
export function envelope(fields: readonly RawField[]): Buffer {
  const text = (name: string) => string(fieldValue(fields, name));
  const people = (name: string) => addressList(fieldValue(fields, name));
  // Where sender or reply-to are missing or empty, the server puts from in their place.
  const orFrom = (name: string) => addressList(fieldValue(fields, name) || fieldValue(fields, "from"));
  return list([
    text("date"),
    text("subject"),
    people("from"),
    orFrom("sender"),
    orFrom("reply-to"),
    people("to"),
    people("cc"),
    people("bcc"),
    text("in-reply-to"),
    text("message-id"),
  ]);
}

/** An envelope that says nothing. */
export const emptyEnvelope = (): Buffer => list(Array.from({ length: 10 }, () => "NIL"));
