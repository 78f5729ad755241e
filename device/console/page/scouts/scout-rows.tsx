import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useScroll } from "../list/use-scroll.ts";
import { FolderCard, ScoutCard } from "./cards.tsx";
import type { Folder, Scout, ScoutList } from "./queries.ts";

/** In pixels; a row is measured when it is there. */
const usualHeight = 72;

interface RowsProps {
  readonly scouts: readonly Scout[];
  readonly folders: readonly Folder[];
  readonly troubles: ScoutList["troubles"];
}

/** Scouts and folders, as many as there are: only those that can be seen are in the page. */
export function ScoutRows({ scouts, folders, troubles }: RowsProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<number>();
  const all = [...scouts, ...folders];
  const scroll = useScroll(scroller);
  const rows = useVirtualizer({
    count: all.length,
    getScrollElement: scroll.element,
    scrollMargin: scroll.margin,
    estimateSize: () => usualHeight,
    getItemKey: (index) => all[index]?.id ?? index,
    overscan: 8,
    // Whoever has the focus stays in the page, also when it is scrolled away.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      const isGone = focused === undefined || focused >= all.length || shown.includes(focused);
      return isGone ? shown : [...shown, focused].sort((a, b) => a - b);
    },
  });
  return (
    <div className="scout-rows" ref={scroller}>
      <ul aria-label={t("nav.scouts")} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const scout = scouts[index];
          const folder = folders[index - scouts.length];
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="scout-row"
              style={{ transform: `translateY(${start - scroll.margin}px)` }}
              aria-posinset={index + 1}
              aria-setsize={all.length}
              onFocus={() => setFocused(index)}
            >
              {scout && <ScoutCard scout={scout} trouble={troubles.find(({ id }) => id === scout.id)} />}
              {folder && <FolderCard folder={folder} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
