import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Said } from "../app/said.tsx";
import { dateText, line } from "../app/shown-text.ts";
import { inPixels } from "../list/in-pixels.ts";
import { useScroll } from "../list/use-scroll.ts";
import { callerText, knownToolText } from "./call-text.ts";
import { cameToNothing, knownEndText } from "./end-text.ts";
import type { TrailRow } from "./queries.ts";

/** As activity.css has it, in pixels. */
const rowHeight = inPixels(9.75);
/** Rows before the end at which more are asked for. */
const ahead = 20;

interface TrailListProps {
  readonly records: readonly TrailRow[];
  readonly nameOf: (trail: string) => string;
  /** Asks for more, where there is more. */
  readonly onEnd: (() => void) | undefined;
}

/** Records, as many as there are: only those that can be seen are in the page. */
export function TrailList({ records, nameOf, onEnd }: TrailListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const scroll = useScroll(scroller);
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: scroll.element,
    scrollMargin: scroll.margin,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const last = rows.range?.endIndex ?? 0;
  useEffect(() => {
    if (last + ahead >= records.length) onEnd?.();
  }, [last, records.length, onEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className="trail" ref={scroller} tabIndex={0} aria-label={t("activity.view.trail")}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const record = records[index];
          return record === undefined ? null : (
            <li
              key={`${record.trail} ${record.seq}`}
              className="trail-row"
              style={{ transform: `translateY(${start - scroll.margin}px)` }}
              aria-posinset={index + 1}
              aria-setsize={records.length}
            >
              <Record record={record} name={nameOf(record.trail)} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Record({ record, name }: { readonly record: TrailRow; readonly name: string }) {
  const { t, i18n } = useTranslation();
  const { seq, at, caller, tool, decision, outcome, why, files, moreFiles, args } = record;
  return (
    <>
      <p className="trail-line">
        <bdi>{callerText(caller, t)}</bdi>
        {" · "}
        {knownToolText(tool, t) ?? <code>{line(tool)}</code>}
        {files.length > 0 && <> · </>}
        <bdi>{files.map(({ path }) => line(path)).join(", ")}</bdi>
        {moreFiles > 0 && <> {t("activity.moreFiles", { count: moreFiles })}</>}
      </p>
      <p className="hint trail-line">
        {name} {seq} · {dateText(at, i18n.language)} · {t(`activity.decision.${decision}`)}
        {outcome !== "ok" && (
          <>
            {" · "}
            <span className={cameToNothing(outcome) ? "problem" : undefined}>
              {knownEndText(outcome, t) ?? (why === null ? line(outcome) : <Said what={why} />)}
            </span>
          </>
        )}
      </p>
      <p className="hint trail-line">
        <bdi>{line(args)}</bdi>
      </p>
    </>
  );
}
