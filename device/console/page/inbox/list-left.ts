import type { InboxSearch } from "../routes/addresses.ts";

/** A list of proposals as its address has it. */
type List = { readonly to: "/" } | { readonly to: "/inbox"; readonly search: InboxSearch };

let left: List = { to: "/inbox", search: {} };

/** The list that was looked at last: who has decided an item goes on there. The whole inbox for who came another way. */
export const listLeft = (): List => left;

/** Notes which list is looked at. */
export function lookAtList(list: List): void {
  left = list;
}
