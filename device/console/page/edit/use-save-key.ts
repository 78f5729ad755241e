import { useEffect, useEffectEvent } from "react";

/**
 * Saves with Ctrl+S, wherever on the page the focus is: the browser would keep the page as a file in place of the text. A dialog
 * that is open asks something else, and what stands in its place is answered first.
 */
export function useSaveKey(save: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "s" || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const isAsked =
      event.target instanceof Element && event.target.closest("[role=dialog], [role=alertdialog]") !== null;
    if (!isAsked && !event.repeat) save();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
