import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { useKeys } from "../app/keys.ts";
import type { Outcome } from "./decisions.ts";
import { ProposalCard, titleId } from "./proposal-card.tsx";

/** As inbox.css has it, in pixels. */
const rowHeight = 132;

interface ListProps {
  readonly proposals: readonly Proposal[];
  readonly total: number;
  readonly onDecide: (proposal: Proposal, outcome: Outcome) => void;
  readonly onOpen: (proposal: Proposal) => void;
  readonly onEnd: () => void;
}

/** Proposals, as many as there are: only those that can be seen are in the page. */
export function ProposalList({ proposals, total, onDecide, onOpen, onEnd }: ListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<string>();
  const focusNext = useRef(false);
  const cursorAt = proposals.findIndex(({ id }) => id === cursor);
  const rows = useVirtualizer({
    count: proposals.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => proposals[index]?.id ?? index,
    overscan: 6,
    // Whoever has the focus stays in the page, also when it is scrolled away.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return cursorAt === -1 || shown.includes(cursorAt) ? shown : [...shown, cursorAt].sort((a, b) => a - b);
    },
  });
  useStillView(scroller, proposals);

  const goTo = (index: number) => {
    const to = proposals[index];
    if (to === undefined) return;
    focusNext.current = true;
    setCursor(to.id);
    rows.scrollToIndex(index);
  };
  const decideAt = (index: number, outcome: Outcome) => {
    const proposal = proposals[index];
    if (proposal === undefined) return;
    if (index === cursorAt) goTo(index + 1 < proposals.length ? index + 1 : index - 1);
    onDecide(proposal, outcome);
  };
  useKeys({
    j: () => goTo(Math.min(cursorAt + 1, proposals.length - 1)),
    k: () => goTo(Math.max(cursorAt - 1, 0)),
    a: () => decideAt(cursorAt, "approved"),
    r: () => decideAt(cursorAt, "rejected"),
    o: () => {
      const proposal = proposals[cursorAt];
      if (proposal !== undefined) onOpen(proposal);
    },
  });
  useEffect(() => {
    if (!focusNext.current || cursor === undefined) return;
    const title = document.getElementById(titleId(cursor));
    if (title === null) return;
    focusNext.current = false;
    title.focus({ preventScroll: true });
  });

  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (proposals.length > 0 && last >= proposals.length - 20) onEnd();
  }, [last, proposals.length, onEnd]);

  return (
    <div className="rows" ref={scroller}>
      <ul aria-label={t("inbox.list")} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const proposal = proposals[index];
          return (
            proposal && (
              <li
                key={key}
                className={proposal.id === cursor ? "row current" : "row"}
                style={{ transform: `translateY(${start}px)` }}
                aria-posinset={index + 1}
                aria-setsize={total}
                onFocus={() => setCursor(proposal.id)}
              >
                <ProposalCard proposal={proposal} onDecide={(outcome) => decideAt(index, outcome)} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** What arrives above does not move what somebody reads or is about to press. */
function useStillView(scroller: React.RefObject<HTMLDivElement | null>, proposals: readonly Proposal[]): void {
  const before = useRef(proposals);
  useLayoutEffect(() => {
    const { current: view } = scroller;
    const old = before.current;
    before.current = proposals;
    if (view === null || old === proposals) return;
    const isUsed = view.scrollTop > 0 || view.contains(document.activeElement) || view.matches(":hover");
    const anchor = old[Math.floor(view.scrollTop / rowHeight)];
    const now = proposals.findIndex(({ id }) => id === anchor?.id);
    const then = old.findIndex(({ id }) => id === anchor?.id);
    if (isUsed && now > then && then !== -1) view.scrollTop += (now - then) * rowHeight;
  }, [proposals, scroller]);
}
