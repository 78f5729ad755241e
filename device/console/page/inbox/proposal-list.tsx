import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { useKeys } from "../app/keys.ts";
import type { Outcome } from "./decisions.ts";
import { keepPlace, type Place, placeIn } from "./place.ts";
import { ProposalCard, titleId } from "./proposal-card.tsx";
import { type LoadedList, type Narrowed, pagesOf } from "./proposals.ts";

/** As inbox.css has it, in pixels. */
const rowHeight = 132;
/** Rows beyond those that are seen whose pages are asked for. */
const ahead = 20;

interface ListProps {
  readonly list: LoadedList;
  readonly narrowed: Narrowed;
  readonly onDecide: (proposal: Proposal, outcome: Outcome) => void;
  readonly onOpen: (proposal: Proposal) => void;
  /** Which pages of the list are looked at. */
  readonly onPages: (pages: readonly number[]) => void;
}

/** Proposals, as many as there are: only those that can be seen are in the page. */
export function ProposalList({ list, narrowed, onDecide, onOpen, onPages }: ListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Place | undefined>(placeIn(narrowed));
  const focusNext = useRef(cursor !== undefined);
  const found = list.indexOf(cursor?.id);
  // Who is gone has left its place to the next one.
  const cursorAt = found === -1 ? Math.min(cursor?.index ?? -1, list.total - 1) : found;
  const rows = useVirtualizer({
    count: list.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    initialOffset: () => Math.max(0, (cursor?.index ?? 0) * rowHeight - rowHeight),
    overscan: 6,
    // Whoever has the focus stays in the page, also when it is scrolled away.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return cursorAt === -1 || shown.includes(cursorAt) ? shown : [...shown, cursorAt].sort((a, b) => a - b);
    },
  });
  useStillView(scroller, list);

  const standAt = (place: Place) => {
    setCursor(place);
    keepPlace(narrowed, place);
  };
  const goTo = (index: number) => {
    if (index < 0 || index >= list.total) return;
    focusNext.current = true;
    standAt({ id: list.at(index)?.id ?? "", index });
    rows.scrollToIndex(index);
  };
  const decideAt = (index: number, outcome: Outcome) => {
    const proposal = list.at(index);
    if (proposal?.status !== "pending") return;
    if (index === cursorAt) goTo(index + 1 < list.total ? index + 1 : index - 1);
    onDecide(proposal, outcome);
  };
  const decideCard = (proposal: Proposal, outcome: Outcome) => decideAt(list.indexOf(proposal.id), outcome);
  const latest = useRef(decideCard);
  useLayoutEffect(() => {
    latest.current = decideCard;
  });
  const onCard = useCallback((proposal: Proposal, outcome: Outcome) => latest.current(proposal, outcome), []);
  useKeys({
    j: () => goTo(Math.min(cursorAt + 1, list.total - 1)),
    k: () => goTo(Math.max(cursorAt - 1, 0)),
    a: () => decideAt(cursorAt, "approved"),
    r: () => decideAt(cursorAt, "rejected"),
    o: () => {
      const proposal = list.at(cursorAt);
      if (proposal !== undefined) onOpen(proposal);
    },
  });
  useEffect(() => {
    const { id } = list.at(cursorAt) ?? {};
    const title = focusNext.current && id !== undefined ? document.getElementById(titleId(id)) : null;
    if (title === null) return;
    focusNext.current = false;
    title.focus({ preventScroll: true });
  });

  const shown = rows.getVirtualItems();
  const { startIndex, endIndex } = rows.range ?? { startIndex: 0, endIndex: 0 };
  const wanted = new Set(pagesOf(startIndex - ahead, Math.min(endIndex + ahead, list.total - 1)));
  for (const page of cursorAt === -1 ? [] : pagesOf(cursorAt, cursorAt)) wanted.add(page);
  const pages = [...wanted].sort((a, b) => a - b).join();
  useEffect(() => onPages(pages.split(",").map(Number)), [pages, onPages]);

  return (
    <div className="rows" ref={scroller}>
      <ul aria-label={t("inbox.list")} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const proposal = list.at(index);
          return (
            <li
              // What it shows, and not its place: the focus stays with a proposal that moves.
              key={proposal?.id ?? index}
              className={index === cursorAt ? "row current" : "row"}
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={list.total}
              onFocus={() => proposal && standAt({ id: proposal.id, index })}
            >
              {proposal === undefined ? (
                <div className="card card-empty">{t("state.loading")}</div>
              ) : (
                <ProposalCard proposal={proposal} onDecide={onCard} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** What arrives above does not move what somebody reads or is about to press. */
function useStillView(scroller: React.RefObject<HTMLDivElement | null>, list: LoadedList): void {
  const before = useRef(list);
  useLayoutEffect(() => {
    const { current: view } = scroller;
    const old = before.current;
    before.current = list;
    if (view === null || old === list) return;
    const isUsed = view.scrollTop > 0 || view.contains(document.activeElement) || view.matches(":hover");
    const then = Math.floor(view.scrollTop / rowHeight);
    const now = list.indexOf(old.at(then)?.id);
    if (isUsed && now > then) view.scrollTop += (now - then) * rowHeight;
  }, [list, scroller]);
}
