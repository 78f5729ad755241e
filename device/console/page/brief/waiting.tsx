import { Link } from "@tanstack/react-router";
import type { InferResponseType } from "hono/client";
import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { api, Proposal } from "../app/api.ts";
import { useKeys } from "../app/keys.ts";
import { useDeciding } from "../decide/deciding.tsx";
import { decidedIds, meant, type Outcome, useDecisions, useLastDecisions } from "../inbox/decisions.ts";
import { type CardAction, ProposalCard, titleId } from "../inbox/proposal-card.tsx";
import { useGo } from "../routes/go.ts";
import { useSteadyOrder } from "./steady-order.ts";

export type BriefOf = InferResponseType<typeof api.brief.$get>;

/** What waits for a decision, as the brief has it: the most urgent first, decided in place. */
export function Waiting({ brief }: { readonly brief: BriefOf }) {
  const { t } = useTranslation();
  const go = useGo();
  const { decide } = useDecisions();
  const list = useRef<HTMLUListElement>(null);
  const gone = decidedIds(useLastDecisions());
  const { shown, fresh, showFresh } = useSteadyOrder(
    brief.waiting.filter(({ id }) => !gone.has(id)),
    list,
  );
  const [cursor, setCursor] = useState<string>();
  const focusNext = useRef(false);
  const at = shown.findIndex(({ id }) => id === cursor);
  const goTo = (index: number) => {
    const next = shown[Math.max(0, Math.min(index, shown.length - 1))];
    if (next === undefined) return;
    focusNext.current = true;
    setCursor(next.id);
  };
  const stepOff = () => goTo(at + 1 < shown.length ? at + 1 : at - 1);
  const deciding = useDeciding({ onDone: (ids) => ids.includes(cursor ?? "") && stepOff() });
  const settle = (proposal: Proposal | undefined, outcome: Outcome) => {
    if (proposal === undefined) return;
    if (proposal.id === cursor) stepOff();
    decide(proposal, outcome);
  };
  const onAct = (proposal: Proposal, action: CardAction, button: Element) => {
    if (action === "more") deciding.openMenu(proposal, button);
    else if (action === "approved" || action === "rejected") settle(proposal, action);
  };
  const here = shown[at];
  useKeys({
    j: () => goTo(at + 1),
    k: () => goTo(at - 1),
    a: () => settle(here, "approved"),
    r: () => settle(here, "rejected"),
    e: () => here && deciding.ask("edit", meant([here])),
    s: () => here && deciding.ask("snooze", meant([here])),
    o: () => here && void go({ to: "/items/$id", params: { id: here.id } }),
  });
  useEffect(() => {
    const title = focusNext.current && !deciding.isOpen ? document.getElementById(titleId(cursor ?? "")) : null;
    if (title === null) return;
    focusNext.current = false;
    title.focus();
  });
  return (
    <section className="panel" aria-labelledby="brief-waiting">
      <h2 id="brief-waiting">{t("brief.waiting")}</h2>
      {fresh > 0 && <Button onPress={showFresh}>{t("brief.fresh", { count: fresh })}</Button>}
      {brief.conflicts > 0 && (
        <p className="trouble">
          <Link to="/inbox" search={{ status: "conflict" }}>
            {t("brief.conflicts", { count: brief.conflicts })}
          </Link>
        </p>
      )}
      {brief.closedUndecided.proposals > 0 && (
        <p className="trouble">
          <Link to="/inbox" search={{ status: "expired" }}>
            {t("brief.closedUndecided", { count: brief.closedUndecided.proposals })}
          </Link>
        </p>
      )}
      {shown.length === 0 && <p className="hint">{t("brief.nothing")}</p>}
      <ul className="brief-cards" ref={list}>
        {shown.map((proposal) => (
          <li
            key={proposal.id}
            className={proposal.id === cursor ? "brief-card current" : "brief-card"}
            onFocus={() => setCursor(proposal.id)}
          >
            <ProposalCard proposal={proposal} onAct={onAct} level={3} />
          </li>
        ))}
      </ul>
      <Rest brief={brief} />
      {deciding.dialogs}
    </section>
  );
}

/** What else waits, by number. */
function Rest({ brief }: { readonly brief: BriefOf }) {
  const { t } = useTranslation();
  const counts = (["more", "older", "onlyToKnow", "unread", "snoozed"] as const).filter((name) => brief[name] > 0);
  return (
    <>
      {counts.length > 0 && (
        <ul className="brief-rest hint">
          {counts.map((name) => (
            <li key={name}>{t(`brief.rest.${name}`, { count: brief[name] })}</li>
          ))}
        </ul>
      )}
      <p>
        <Link to="/inbox" search={{ by: "attention" }}>
          {t("brief.all")}
        </Link>
      </p>
    </>
  );
}
