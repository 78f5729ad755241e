import { type ItemRef, itemRef } from "../../../../events/ids.ts";

const id = /^([1-9a-f])([0-9a-f]{15})$/;

/**
 * A mail in a file may be read while it is still being written. When it is whole it is another message, whose id says of which
 * beginnings: the first of its sixteen digits counts how often it has grown. Ids of the service by whose protocol such mail is served
 * begin with 1 until 2039, and what one of later would name as its beginnings is the id of nothing.
 *
 * @returns undefined when it has grown as often as can be counted
 */
export function grownId(messageId: string): string | undefined {
  const [, first = "f", rest = ""] = id.exec(messageId) ?? [];
  return first === "f" ? undefined : `${(Number.parseInt(first, 16) + 1).toString(16)}${rest}`;
}

/** The ids a message had before it had grown to what it is. */
export function formerRefs(ref: ItemRef): readonly ItemRef[] {
  const [, first = "1", rest = ""] = id.exec(ref) ?? [];
  const grown = Number.parseInt(first, 16) - 1;
  return Array.from({ length: grown }, (_, at) => itemRef.parse(`${(at + 1).toString(16)}${rest}`));
}
