import { useSyncExternalStore } from "react";

/** In pixels, as card.css has them: in a narrow window what is done with a proposal stands below it. */
const wideRow = 136;
const narrowRow = 160;

const narrow = matchMedia("(width < 40rem)");

function onChange(changed: () => void): () => void {
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
}

/** How high a row of the inbox is in this window. */
export const useRowHeight = (): number => useSyncExternalStore(onChange, () => (narrow.matches ? narrowRow : wideRow));
