import { useSyncExternalStore } from "react";
import { inPixels } from "../list/in-pixels.ts";

/** In pixels, as card.css has them: in a narrow window what is done with a proposal stands below it. */
const wideRow = inPixels(8.5);
const narrowRow = inPixels(10);

const narrow = matchMedia("(width < 40rem)");

function onChange(changed: () => void): () => void {
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
}

/** How high a row of the inbox is in this window. */
export const useRowHeight = (): number => useSyncExternalStore(onChange, () => (narrow.matches ? narrowRow : wideRow));
