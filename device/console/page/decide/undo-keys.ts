import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { asksToUndo, isTyping } from "../app/keys.ts";

/**
 * Keys of what was just done, on every page: Ctrl+Z takes it back, where the page has no such key of its own; F6 leads to it from
 * wherever one is, and back. It stands at the end of the page: Tab would come there after every row of a list, and it goes in seconds.
 *
 * @param takeBack undefined where there is nothing to take back
 * @returns leads back to where one was before F6, where that is still there
 */
export function useUndoKeys(place: RefObject<HTMLElement | null>, takeBack: (() => void) | undefined): () => void {
  const before = useRef<Element | null>(null);
  const back = () => {
    const { current: at } = before;
    before.current = null;
    if (at instanceof HTMLElement && at.isConnected) at.focus();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === "F6" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const first = place.current?.querySelector<HTMLElement>(".undo-box :is(button, a)");
      if (first == null || document.querySelector(".overlay") !== null) return;
      event.preventDefault();
      if (place.current?.contains(document.activeElement)) return back();
      before.current = document.activeElement;
      first.focus();
    } else if (takeBack !== undefined && asksToUndo(event) && !isTyping(event.target)) {
      event.preventDefault();
      takeBack();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    // After the page's own keys, which are heard at the document.
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
  return back;
}
