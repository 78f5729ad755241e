import type { Narrowed } from "./proposals.ts";

/** Where somebody stands in a list. */
export interface Place {
  readonly id: string;
  readonly index: number;
}

let kept: { readonly list: string; readonly place: Place } | undefined;

const nameOf = (narrowed: Narrowed): string => JSON.stringify(narrowed);

/** Where one stood when one left this list for an item; of other lists nothing is known. */
export const placeIn = (narrowed: Narrowed): Place | undefined =>
  kept?.list === nameOf(narrowed) ? kept.place : undefined;

/** Notes where somebody stands as they leave a list for an item; the place in another list is forgotten. */
export function keepPlace(narrowed: Narrowed, place: Place): void {
  kept = { list: nameOf(narrowed), place };
}
