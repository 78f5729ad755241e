import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { dateText, line, senderOf } from "../app/shown-text.ts";
import { becameOf, closedBecause, snoozedUntil, wayBack } from "../decide/state-of.ts";
import { momentText } from "../decide/when-text.ts";
import { Why } from "../proposal/why.tsx";
import { paths } from "../work/kinds.ts";
import { DraftLine } from "./draft-line.tsx";

/** What the buttons of a card ask for. */
export type CardAction = "approved" | "rejected" | "more" | "select" | "undo" | "reopen";

interface CardProps {
  readonly proposal: Proposal;
  /** Whether it is chosen with others; undefined where it cannot be. */
  readonly isSelected?: boolean | undefined;
  /** The same function each time: a card is drawn again only when its proposal is another. */
  readonly onAct: (proposal: Proposal, action: CardAction, button: Element) => void;
  /** Of its title: one below the heading that the list stands under. */
  readonly level?: 2 | 3;
}

/** The id of a card's title in the page: the card is named by it. */
export const titleId = (id: string): string => `title-${id}`;

/**
 * A proposal in a list: who, when, why, how it begins, what it would become, and what can be done. Its buttons are the
 * browser's: many cards come and go with every turn of a wheel.
 */
export const ProposalCard = memo(function ProposalCard({ proposal, isSelected, onAct, level = 2 }: CardProps) {
  const { t, i18n } = useTranslation();
  const { id, rawSubject, rawSnippet, writtenAt } = proposal;
  const subject = line(rawSubject ?? "") || t("card.noSubject");
  const untilMs = snoozedUntil(proposal, Date.now());
  const Title = level === 2 ? "h2" : "h3";
  return (
    <article aria-labelledby={titleId(id)} className={isSelected === true ? "card selected" : "card"}>
      {isSelected !== undefined && (
        <label className="card-mark">
          <input
            type="checkbox"
            className="card-check"
            aria-label={t("card.selectOne", { subject })}
            checked={isSelected}
            onChange={({ currentTarget }) => onAct(proposal, "select", currentTarget)}
          />
        </label>
      )}
      <div className="card-text">
        {/* What is too long for its line is cut at its end, which is the left one of some. */}
        <Title dir="auto">
          <Link id={titleId(id)} to="/items/$id" params={{ id }}>
            {subject}
          </Link>
        </Title>
        <p className="card-about">
          <bdi className="card-sender">{senderOf(proposal)}</bdi>
          <time dateTime={new Date(writtenAt).toISOString()}>{dateText(writtenAt, i18n.language)}</time>
          <span className="card-why">
            <Why proposal={proposal} />
          </span>
        </p>
        {untilMs !== undefined && (
          <p className="card-snoozed">{t("item.snoozed", { when: momentText(untilMs, i18n.language) })}</p>
        )}
        <DraftLine proposal={proposal} />
        <p className="card-snippet" dir="auto">
          {line(rawSnippet ?? "")}
        </p>
      </div>
      <CardButtons proposal={proposal} subject={subject} onAct={onAct} />
    </article>
  );
});

interface ButtonsProps extends Pick<CardProps, "proposal" | "onAct"> {
  readonly subject: string;
}

function CardButtons({ proposal, subject, onAct }: ButtonsProps) {
  const { t } = useTranslation();
  const button = (action: CardAction, label: string, text: string, className: string) => (
    <button
      type="button"
      className={className}
      aria-label={label}
      // Under the second click of a double one lies the next proposal, which nobody has read.
      onClick={({ currentTarget, detail }) => detail < 2 && onAct(proposal, action, currentTarget)}
    >
      {text}
    </button>
  );
  if (proposal.status !== "pending") {
    const way = wayBack(proposal);
    return (
      <div className="card-status">
        <CardStatus proposal={proposal} />
        {way === "undo" && button("undo", t("card.undoOne", { subject }), t("done.undo"), "")}
        {way === "reopen" && button("reopen", t("card.reopenOne", { subject }), t("card.reopen"), "")}
      </div>
    );
  }
  return (
    <div className="card-actions">
      {button("approved", t("card.approveOne", { subject }), t("card.approve"), "approve")}
      {button("rejected", t("card.rejectOne", { subject }), t("card.reject"), "reject")}
      {button("more", t("card.moreOne", { subject }), "⋯", "more")}
    </div>
  );
}

/** What has become of a proposal that waits no more, and why. */
function CardStatus({ proposal }: Pick<CardProps, "proposal">) {
  const { t } = useTranslation();
  const { status, isInConflict, decidedElsewhere } = proposal;
  const became = becameOf(proposal);
  const why = closedBecause(proposal);
  return (
    <p>
      <span>{t(`filter.${status}`)}</span>
      {why !== undefined && <span>{t(why)}</span>}
      {became !== undefined && (
        <Link to="/work/$kind/$id" params={{ kind: paths[became.kind], id: became.id }}>
          {t(`became.${became.kind}`)}
        </Link>
      )}
      {isInConflict && decidedElsewhere !== null && (
        <span className="card-conflict">{t(`conflict.${decidedElsewhere}`)}</span>
      )}
    </p>
  );
}
