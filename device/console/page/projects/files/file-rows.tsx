import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useKeys } from "../../app/keys.ts";
import { inPixels } from "../../list/in-pixels.ts";
import { pagesOf } from "../../list/pages.ts";
import { useKeeping } from "../../list/use-keeping.ts";
import { useReturn, useScroll } from "../../list/use-scroll.ts";
import { useGo } from "../../routes/go.ts";
import { useThisMinute } from "../../states/this-minute.ts";
import { FileLine, FolderLine } from "./file-line.tsx";
import type { LoadedRows, Shown, ShownFile } from "./file-rows-query.ts";
import { filesPlace } from "./shown-files.ts";

/** As files.css has it, in pixels. */
const rowHeight = inPixels(3.75);
/** Rows beyond those that are seen whose pages are asked for. */
const ahead = 40;
/** A tree is not indented any further: a name has to have room. */
const deepest = 8;

interface RowsProps {
  readonly list: LoadedRows;
  readonly shown: Shown;
  /** Which pages of the list are looked at. */
  readonly onPages: (pages: readonly number[]) => void;
  readonly onFolder: (folder: string) => void;
}

/** Files, as many as there are: only those that can be seen are in the page. */
export function FileRows({ list, shown, onPages, onFolder }: RowsProps) {
  const { t, i18n } = useTranslation();
  const go = useGo();
  const nowMs = useThisMinute(Date.now);
  const scroller = useRef<HTMLDivElement>(null);
  const name = JSON.stringify({ ...shown, open: shown.open !== undefined });
  const [left] = useState(() => filesPlace.of(name));
  const [cursor, setCursor] = useState(left.at?.index ?? -1);
  const isPrivate = shown.words !== "";
  const focusNext = useRef(cursor !== -1);
  const at = Math.min(cursor, list.total - 1);
  const scroll = useScroll(scroller);
  const rows = useVirtualizer({
    count: list.total,
    getScrollElement: scroll.element,
    scrollMargin: scroll.margin,
    estimateSize: () => rowHeight,
    initialOffset: () => (scroll.isPage ? 0 : left.first * rowHeight),
    overscan: 5,
    // Whoever has the focus stays in the page, also when it is scrolled away.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      return at === -1 || seen.includes(at) ? seen : [...seen, at].sort((a, b) => a - b);
    },
  });
  useReturn(scroll, left.first, (index) => rows.scrollToIndex(index, { align: "start" }));
  const standAt = (index: number) => {
    setCursor(index);
    filesPlace.keep(name, { first: Math.max(0, index - 1), at: { id: "", index } }, isPrivate);
  };
  const goTo = (index: number) => {
    if (index < 0 || index >= list.total) return;
    focusNext.current = true;
    standAt(index);
    rows.scrollToIndex(index);
  };
  const { id } = shown;
  const openFile = useCallback(
    ({ number }: ShownFile) => void go({ to: "/projects/$id/files/$file", params: { id, file: String(number) } }),
    [id, go],
  );
  useKeys({
    j: () => goTo(Math.min(at + 1, list.total - 1)),
    k: () => goTo(Math.max(at - 1, 0)),
    o: () => rowElement(scroller.current, at)?.click(),
  });
  useEffect(() => {
    const element = focusNext.current ? rowElement(scroller.current, at) : null;
    if (element === null) return;
    focusNext.current = false;
    element.focus({ preventScroll: true });
  });

  const { startIndex, endIndex } = rows.range ?? { startIndex: 0, endIndex: 0 };
  const wanted = new Set(pagesOf(startIndex - ahead, Math.min(endIndex + ahead, list.total - 1)));
  for (const page of at === -1 ? [] : pagesOf(at, at)) wanted.add(page);
  const isCursorSeen = at >= startIndex && at <= endIndex;
  useKeeping(
    left,
    { first: startIndex, at: at === -1 ? undefined : { id: "", index: at }, isSeen: isCursorSeen },
    useCallback((where) => filesPlace.keep(name, where, isPrivate), [name, isPrivate]),
  );
  const pages = [...wanted].sort((a, b) => a - b).join();
  useEffect(() => onPages(pages.split(",").map(Number)), [pages, onPages]);

  return (
    <div className="file-rows" ref={scroller}>
      <ul aria-label={t("projects.tab.files")} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const row = list.at(index);
          return (
            <li
              key={key}
              data-row={index}
              className={index === at ? "file-row current" : "file-row"}
              style={{
                transform: `translateY(${start - scroll.margin}px)`,
                paddingInlineStart: `${Math.min(row?.depth ?? 0, deepest) * 1.1}rem`,
              }}
              aria-posinset={index + 1}
              aria-setsize={list.total}
              {...(shown.open !== undefined && { "aria-level": (row?.depth ?? 0) + 1 })}
              onFocus={() => standAt(index)}
            >
              {row === undefined && <div className="file-line card-empty">{t("state.loading")}</div>}
              {row?.type === "folder" && <FolderLine folder={row} onPress={() => onFolder(row.path)} />}
              {row?.type === "file" && (
                <FileLine
                  t={t}
                  language={i18n.language}
                  nowMs={nowMs}
                  id={shown.id}
                  file={row.file}
                  isInTree={shown.open !== undefined}
                  onOpen={openFile}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** What leads on in a row; null where it is not in the page. */
const rowElement = (scroller: HTMLElement | null, index: number): HTMLElement | null =>
  scroller?.querySelector<HTMLElement>(`[data-row="${index}"] :is(a, button)`) ?? null;
