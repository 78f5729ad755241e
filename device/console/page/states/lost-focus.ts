/** An element and what it stands in, from the inside out. */
function pathOf(element: Element | null): Element[] {
  const path: Element[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) path.push(at);
  return path;
}

/** Gives something the focus that is no stop. */
function focusOn(place: HTMLElement): void {
  if (!place.hasAttribute("tabindex")) {
    place.tabIndex = -1;
    place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  }
  place.focus({ preventScroll: true });
}

/**
 * Gives the focus on when it is nobody's because who had it is gone: the row that was decided, the link that led away, the notice
 * that was closed. What that stood in has it then, so that Tab goes on from there; the page, where nothing of that is left. A list
 * that has a next one gives it the focus itself, and a dialog keeps its own.
 *
 * @returns what ends that
 */
export function keepFocus(): () => void {
  let path = pathOf(document.activeElement);
  const note = () => {
    path = pathOf(document.activeElement);
  };
  const isLost = () => document.activeElement === document.body && path[0]?.isConnected === false;
  let frame = 0;
  const give = () => {
    const main = document.querySelector("main");
    if (!isLost() || main === null || document.querySelector(".overlay") !== null) return;
    const place = path.find((each) => each.isConnected && main.contains(each));
    focusOn(place instanceof HTMLElement ? place : main);
  };
  const observer = new MutationObserver(() => {
    if (!isLost()) return;
    cancelAnimationFrame(frame);
    // A dialog gives it back to what has opened it in the frame after it is gone.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(give);
    });
  });
  document.addEventListener("focusin", note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", note);
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}
