import { errorKinds } from "../../events/error-kinds.ts";
import { counted } from "./counted.ts";

/** That rows of items could not be read, why, and what mends it. */
export function damagedLine(count: number): string {
  return `${counted(count, "item")} cannot be read. ${errorKinds.row_damaged.sentence} (row_damaged)`;
}
