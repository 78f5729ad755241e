import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useKeys } from "../app/keys.ts";
import { isElsewhere } from "../list/is-elsewhere.ts";
import { keptPlace } from "../list/kept-place.ts";
import { useScroll } from "../list/use-scroll.ts";
import type { Paged } from "./paged.ts";

/** In pixels; a row is measured when it is there. */
const usualHeight = 64;

const place = keptPlace("work");

interface RowsProps<T> {
  readonly label: string;
  /** Tells the list from others, with what it is narrowed to: one comes back to where one was in it. Of a short one it is left out. */
  readonly name?: string;
  /** What it is narrowed to is somebody's words. */
  readonly isPrivate?: boolean;
  readonly list: Paged<T>;
  readonly row: (each: T, before: T | undefined) => ReactNode;
}

/** A list as long as it is: only rows that can be seen are in the page. `j` and `k` go through their links. */
export function Rows<T extends { readonly id: string }>({ label, name, isPrivate = false, list, row }: RowsProps<T>) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [left] = useState(() => place.of(name ?? ""));
  const [focused, setFocused] = useState(left.at?.index);
  const focusNext = useRef(focused !== undefined);
  /** Whether one is to be brought to where one was, as soon as it is known that there is anything. */
  const isComingBack = useRef(left.first > 0);
  /** What has the focus in a row: its link, or the box that ends a task. */
  const stop = useRef<"a" | "input">("a");
  const total = list.total ?? 0;
  const scroll = useScroll(scroller);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: scroll.element,
    scrollMargin: scroll.margin,
    estimateSize: () => usualHeight,
    overscan: 8,
    // Whoever has the focus stays in the page, also when it is scrolled away.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      const isGone = focused === undefined || focused >= total || shown.includes(focused);
      return isGone ? shown : [...shown, focused].sort((a, b) => a - b);
    },
  });
  const focusRow = (index: number) => {
    const element = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] ${stop.current}`);
    element?.focus({ preventScroll: true });
    // Otherwise as soon as it is in the page.
    focusNext.current = !element;
  };
  const goTo = (index: number, at: "a" | "input" = "a") => {
    if (index < 0) return;
    stop.current = at;
    setFocused(index);
    rows.scrollToIndex(index);
    focusRow(index);
  };
  useKeys({
    j: () => goTo(Math.min((focused ?? -1) + 1, total - 1)),
    k: () => goTo(Math.max((focused ?? 0) - 1, 0)),
  });
  useEffect(() => {
    if (focusNext.current && focused !== undefined && !isElsewhere()) focusRow(focused);
  });
  useLayoutEffect(() => {
    if (!isComingBack.current || total === 0 || (scroll.isPage && scroll.margin === 0)) return;
    isComingBack.current = false;
    rows.scrollToIndex(Math.min(left.first, total - 1), { align: "start" });
  });
  const shown = rows.getVirtualItems();
  const { startIndex, endIndex } = rows.range ?? { startIndex: 0, endIndex: 0 };
  useEffect(() => list.look(startIndex, Math.max(startIndex, endIndex)));
  const isFocusedSeen = focused !== undefined && focused >= startIndex && focused <= endIndex;
  useEffect(() => {
    if (name === undefined || total === 0 || isComingBack.current) return;
    const at = isFocusedSeen ? { id: "", index: focused } : undefined;
    place.keep(name, { first: startIndex, at }, isPrivate);
  }, [total, isFocusedSeen, focused, startIndex, name, isPrivate]);
  return (
    <div className="work-rows" ref={scroller} hidden={total === 0}>
      <ul
        aria-label={label}
        style={{ height: rows.getTotalSize() }}
        onFocus={({ target, currentTarget }) => {
          // A list has the focus only where its row has gone: the next one has come into its place.
          if (target === currentTarget) goTo(Math.min(focused ?? 0, total - 1), stop.current);
        }}
      >
        {shown.map(({ index, start }) => {
          const each = list.at(index);
          return (
            <li
              key={each?.id ?? index}
              ref={rows.measureElement}
              data-index={index}
              className="work-row"
              style={{ transform: `translateY(${start - scroll.margin}px)` }}
              aria-posinset={index + 1}
              aria-setsize={total}
              onFocus={({ target }) => {
                stop.current = target.matches("input") ? "input" : "a";
                setFocused(index);
              }}
            >
              {each === undefined ? <p className="card-empty">{t("state.loading")}</p> : row(each, list.at(index - 1))}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
