import type { ItemRow } from "../items/item-row.ts";
import type { ItemId } from "../items/item-store.ts";

/** A try to judge an item, as far as it got. */
export interface Attempt {
  readonly id: ItemId;
  /** As it was when the batch began. */
  readonly row: ItemRow | undefined;
  readonly sourceType: string;
  /** The tokens' reservation, when it got that far. */
  readonly reservation?: string;
  readonly startedAtMs: number;
  readonly remainingMs: () => number;
}
