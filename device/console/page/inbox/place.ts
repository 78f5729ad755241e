import { keptPlace, type Whereabouts } from "../list/kept-place.ts";
import type { Narrowed } from "./proposals.ts";

const kept = keptPlace("inbox");

const nameOf = (narrowed: Narrowed): string => JSON.stringify(narrowed);

/** Where one was when one left this list, for an item or with the page; of other lists nothing is known. */
export const placeIn = (narrowed: Narrowed): Whereabouts => kept.of(nameOf(narrowed));

/** Notes where somebody is in a list; the place in another one is forgotten. */
export const keepPlace = (narrowed: Narrowed, where: Whereabouts): void =>
  kept.keep(nameOf(narrowed), where, narrowed.words !== "");
