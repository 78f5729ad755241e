import { useEffect, useEffectEvent } from "react";
import { letterOf } from "../app/keys.ts";

/**
 * Saves with Ctrl+S, wherever on the page the focus is: the browser would keep the page as a file in place of the text. A dialog
 * that is open asks something else, and what stands in its place is answered first.
 *
 * @param save is told where the focus is
 */
export function useSaveKey(save: (at: Element | null) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (letterOf(event).toLowerCase() !== "s" || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey))
      return;
    event.preventDefault();
    const at = event.target instanceof Element ? event.target : null;
    const isAsked = at !== null && at.closest("[role=dialog], [role=alertdialog]") !== null;
    if (!isAsked && !event.repeat) save(at);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    // Before a list that is open or closed hears it, which keeps keys to itself.
    document.addEventListener("keydown", listener, { capture: true });
    return () => document.removeEventListener("keydown", listener, { capture: true });
  }, []);
}
