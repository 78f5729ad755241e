import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { useKeys } from "../app/keys.ts";
import { useDeciding } from "../decide/deciding.tsx";
import { isElsewhere } from "../list/is-elsewhere.ts";
import type { Place } from "../list/kept-place.ts";
import { pagesOf } from "../list/pages.ts";
import { useKeeping } from "../list/use-keeping.ts";
import { type Scroll, useReturn, useScroll } from "../list/use-scroll.ts";
import { type Meant, meant, type Outcome } from "./decisions.ts";
import { keepPlace, placeIn } from "./place.ts";
import { type CardAction, ProposalCard, titleId } from "./proposal-card.tsx";
import { type LoadedList, type Narrowed, usePendingOf } from "./proposals.ts";
import { useRowHeight } from "./row-height.ts";
import { SelectionBar } from "./selection-bar.tsx";

/** Rows beyond those that are seen whose pages are asked for. */
const ahead = 20;

/** Whether a row is to have the focus: it was gone to by a key, or it is the one that the list was left at, or left with. */
type FocusNext = "none" | "asked" | "left";

interface ListProps {
  readonly list: LoadedList;
  readonly narrowed: Narrowed;
  readonly onDecide: (proposal: Proposal, outcome: Outcome) => void;
  /** It is to be decided anew. */
  readonly onReturn: (proposal: Proposal, way: "undo" | "reopen") => void;
  readonly onOpen: (proposal: Proposal) => void;
  /** Which pages of the list are looked at. */
  readonly onPages: (pages: readonly number[]) => void;
}

/** Proposals, as many as there are: only those that can be seen are in the page. */
export function ProposalList({ list, narrowed, onDecide, onReturn, onOpen, onPages }: ListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const rowHeight = useRowHeight();
  const [left] = useState(() => placeIn(narrowed));
  const [cursor, setCursor] = useState<Place | undefined>(left.at);
  const focusNext = useRef<FocusNext>(cursor === undefined ? "none" : "left");
  const found = list.indexOf(cursor?.id);
  // Who is gone has left its place to the next one.
  const cursorAt = found === -1 ? Math.min(cursor?.index ?? -1, list.total - 1) : found;
  const scroll = useScroll(scroller);
  const rows = useVirtualizer({
    count: list.total,
    getScrollElement: scroll.element,
    scrollMargin: scroll.margin,
    // It stands above the page that scrolls (inbox.css): a row that is gone to is not behind it.
    scrollPaddingStart: scroll.isPage ? (bar?.offsetHeight ?? 0) : 0,
    estimateSize: () => rowHeight,
    initialOffset: () => (scroll.isPage ? 0 : left.first * rowHeight),
    overscan: 6,
    // Whoever has the focus stays in the page, also when it is scrolled away.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return cursorAt === -1 || shown.includes(cursorAt) ? shown : [...shown, cursorAt].sort((a, b) => a - b);
    },
  });
  // The window is another: rows that were measured are as high as they are now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the height that has changed
  useLayoutEffect(() => rows.measure(), [rows, rowHeight]);
  useReturn(scroll, left.first, (index) => rows.scrollToIndex(index, { align: "start" }));
  useStillView(scroller, scroll, list, rowHeight);

  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [leftOut, setLeftOut] = useState(0);
  const pending = usePendingOf(selected);
  // Another tab, another device or the command line has decided some of them.
  if (pending !== undefined && [...selected].some((id) => !pending.has(id)))
    setSelected(new Set([...selected].filter((id) => pending.has(id))));
  const deciding = useDeciding({
    onDone: (ids) => {
      setSelected(new Set());
      // Where one stood has gone: the focus goes on to the next one.
      if (cursor !== undefined && ids.includes(cursor.id)) focusNext.current = "left";
    },
    onAlike: (ids, total) => {
      setSelected(new Set(ids));
      setLeftOut(total - ids.length);
    },
  });
  const select = ({ id }: Proposal) => {
    const now = new Set(selected);
    if (!now.delete(id)) now.add(id);
    setSelected(now);
    setLeftOut(0);
  };
  const clear = () => setSelected(new Set());
  const [only] = selected;
  const chosen: Meant = { ids: [...selected], subject: selected.size === 1 ? (subjectOf(list, only) ?? null) : null };

  const standAt = (place: Place) => {
    setCursor(place);
    keepPlace(narrowed, { first: Math.max(0, place.index - 1), at: place });
  };
  const goTo = (index: number) => {
    if (index < 0 || index >= list.total) return;
    focusNext.current = "asked";
    standAt({ id: list.at(index)?.id ?? "", index });
    rows.scrollToIndex(index);
  };
  const stepOff = (index: number) => {
    if (index === cursorAt) goTo(index + 1 < list.total ? index + 1 : index - 1);
  };
  const decideAt = (index: number, outcome: Outcome) => {
    const proposal = list.at(index);
    if (proposal?.status !== "pending") return;
    stepOff(index);
    onDecide(proposal, outcome);
  };
  const decideChosen = (outcome: Outcome) => {
    if (selected.has(list.at(cursorAt)?.id ?? "")) focusNext.current = "left";
    deciding.decideMany(chosen, outcome);
    setSelected(new Set());
  };
  const wakeChosen = () => {
    if (selected.has(list.at(cursorAt)?.id ?? "")) focusNext.current = "left";
    deciding.wake(chosen);
    clear();
  };
  const decideHere = (outcome: Outcome) => (selected.size > 0 ? decideChosen(outcome) : decideAt(cursorAt, outcome));
  const askHere = (question: "edit" | "snooze") => {
    const here = list.at(cursorAt);
    if (question === "snooze" && selected.size > 0) deciding.ask(question, chosen);
    else if (here?.status === "pending") deciding.ask(question, meant([here]));
  };
  const actOn = (proposal: Proposal, action: CardAction, button: Element) => {
    if (action === "more") deciding.openMenu(proposal, button);
    else if (action === "select") select(proposal);
    else if (action === "approved" || action === "rejected") decideAt(list.indexOf(proposal.id), action);
    else {
      stepOff(list.indexOf(proposal.id));
      onReturn(proposal, action);
    }
  };
  const latest = useRef(actOn);
  useLayoutEffect(() => {
    latest.current = actOn;
  });
  const onCard = useCallback(
    (proposal: Proposal, action: CardAction, button: Element) => latest.current(proposal, action, button),
    [],
  );
  useKeys({
    j: () => goTo(Math.min(cursorAt + 1, list.total - 1)),
    k: () => goTo(Math.max(cursorAt - 1, 0)),
    a: () => decideHere("approved"),
    r: () => decideHere("rejected"),
    e: () => askHere("edit"),
    s: () => askHere("snooze"),
    x: () => {
      const proposal = list.at(cursorAt);
      if (proposal?.status === "pending") select(proposal);
    },
    Escape: clear,
    o: () => {
      const proposal = list.at(cursorAt);
      if (proposal !== undefined) onOpen(proposal);
    },
  });
  const focusAsked = () => {
    const { id } = list.at(cursorAt) ?? {};
    if (focusNext.current === "left" && isElsewhere()) focusNext.current = "none";
    const isWanted = focusNext.current !== "none" && id !== undefined && !deciding.isOpen;
    const title = isWanted ? document.getElementById(titleId(id)) : null;
    if (title === null) return;
    focusNext.current = "none";
    title.focus({ preventScroll: true });
  };
  useEffect(focusAsked);

  const shown = rows.getVirtualItems();
  const { startIndex, endIndex } = rows.range ?? { startIndex: 0, endIndex: 0 };
  const wanted = new Set(pagesOf(startIndex - ahead, Math.min(endIndex + ahead, list.total - 1)));
  for (const page of cursorAt === -1 ? [] : pagesOf(cursorAt, cursorAt)) wanted.add(page);
  const isCursorSeen = cursorAt >= startIndex && cursorAt <= endIndex;
  const standing = cursor === undefined || cursorAt === -1 ? undefined : { id: cursor.id, index: cursorAt };
  useKeeping(
    left,
    { first: startIndex, at: standing, isSeen: isCursorSeen },
    useCallback((where) => keepPlace(narrowed, where), [narrowed]),
  );
  const pages = [...wanted].sort((a, b) => a - b).join();
  useEffect(() => onPages(pages.split(",").map(Number)), [pages, onPages]);

  return (
    <>
      {selected.size > 0 && (
        <SelectionBar
          ref={setBar}
          count={selected.size}
          leftOut={leftOut}
          onDecide={decideChosen}
          onAsk={(question) => deciding.ask(question, chosen)}
          onWake={narrowed.status === "snoozed" ? wakeChosen : undefined}
          onClear={clear}
        />
      )}
      <div className="rows" ref={scroller}>
        <ul
          aria-label={t("inbox.list")}
          style={{ height: rows.getTotalSize() }}
          onFocus={({ target, currentTarget }) => {
            // A list has the focus only where its row has lost it.
            if (target !== currentTarget) return;
            focusNext.current = "left";
            focusAsked();
          }}
        >
          {shown.map(({ index, start }) => {
            const proposal = list.at(index);
            return (
              <li
                // What it shows, and not its place: the focus stays with a proposal that moves.
                key={proposal?.id ?? index}
                className={index === cursorAt ? "row current" : "row"}
                style={{ transform: `translateY(${start - scroll.margin}px)` }}
                aria-posinset={index + 1}
                aria-setsize={list.total}
                onFocus={() => proposal && standAt({ id: proposal.id, index })}
              >
                {proposal === undefined ? (
                  <div className="card card-empty">{t("state.loading")}</div>
                ) : (
                  <ProposalCard
                    proposal={proposal}
                    isSelected={proposal.status === "pending" ? selected.has(proposal.id) : undefined}
                    onAct={onCard}
                  />
                )}
              </li>
            );
          })}
        </ul>
      </div>
      {deciding.dialogs}
    </>
  );
}

const subjectOf = (list: LoadedList, id: string | undefined): string | null | undefined =>
  list.at(list.indexOf(id))?.rawSubject;

/** What arrives above does not move what somebody reads or is about to press. */
function useStillView(
  room: React.RefObject<HTMLDivElement | null>,
  { element, margin }: Scroll,
  list: LoadedList,
  rowHeight: number,
): void {
  const before = useRef(list);
  useLayoutEffect(() => {
    const [view, held] = [element(), room.current];
    const old = before.current;
    before.current = list;
    if (view === null || held === null || old === list) return;
    const isUsed = view.scrollTop > 0 || held.contains(document.activeElement) || held.matches(":hover");
    const then = Math.max(0, Math.floor((view.scrollTop - margin) / rowHeight));
    const now = list.indexOf(old.at(then)?.id);
    if (isUsed && now > then) view.scrollTop += (now - then) * rowHeight;
  });
}
