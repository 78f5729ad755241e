import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

/** As little-room.css has it: where there is so little room one thing scrolls, the page with all that is in it. */
const small = matchMedia("(width < 40rem) or (height < 32rem)");

function onChange(changed: () => void): () => void {
  small.addEventListener("change", changed);
  return () => small.removeEventListener("change", changed);
}

/** What a list of rows scrolls in. */
export interface Scroll {
  /** Its own room, or the page. */
  readonly element: () => HTMLElement | null;
  readonly isPage: boolean;
  /** How far below the beginning of that it begins, in pixels. */
  readonly margin: number;
}

/**
 * What a list scrolls in: a room of its own, or in a small window the page, with all that stands above the list.
 *
 * @param room what holds the list
 */
export function useScroll(room: RefObject<HTMLElement | null>): Scroll {
  const isPage = useSyncExternalStore(onChange, () => small.matches);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const [held, page] = [room.current, pageOf(room.current)];
    if (!isPage || held === null || page === null) {
      setMargin(0);
      return;
    }
    const measure = () =>
      setMargin(Math.round(held.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop));
    measure();
    // Whatever stands above it grows and shrinks: filters that are opened, a notice.
    const observer = new ResizeObserver(measure);
    for (const part of page.children) observer.observe(part);
    return () => observer.disconnect();
  }, [isPage, room]);
  return { element: () => (isPage ? pageOf(room.current) : room.current), isPage, margin };
}

const pageOf = (element: HTMLElement | null): HTMLElement | null => element?.closest<HTMLElement>(".shell") ?? null;

/** Brings a list whose page scrolls to the row one left it at, as soon as it is known where the list begins. */
export function useReturn({ isPage, margin }: Scroll, index: number, scrollTo: (index: number) => void): void {
  const isOpen = useRef(index > 0);
  useLayoutEffect(() => {
    if (!isPage || margin === 0 || !isOpen.current) return;
    isOpen.current = false;
    scrollTo(index);
  });
}
