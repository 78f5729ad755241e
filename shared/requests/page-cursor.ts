import { ScoutsError } from "../../events/errors.ts";

/** Lists that are given out in pages; a cursor is good for its own list only. */
type PagedList = "scouts" | "spam" | "items" | "runs";

/** Where the next page of a list begins, as text a client hands back without looking into it. */
export function writePageCursor(list: PagedList, position: string | undefined): string | null {
  return position === undefined ? null : Buffer.from(`${list}:${position}`).toString("base64url");
}

/** @throws invalid_request when it is no cursor of this list */
export function readPageCursor(list: PagedList, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const position = text.slice(list.length + 1);
  if (text.startsWith(`${list}:`) && /^[\w#.~:=+-]{1,300}$/.test(position)) return position;
  throw new ScoutsError("invalid_request", { data: { where: "cursor" } });
}
