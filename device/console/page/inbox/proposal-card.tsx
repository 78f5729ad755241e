import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { dateText, line, senderOf } from "../app/shown-text.ts";
import type { Outcome } from "./decisions.ts";

interface CardProps {
  readonly proposal: Proposal;
  /** The same function each time: a card is drawn again only when its proposal is another. */
  readonly onDecide: (proposal: Proposal, outcome: Outcome) => void;
}

export const titleId = (id: string): string => `title-${id}`;

/**
 * A proposal in a list: who, when, why, how it begins, and what can be done. Its buttons are the browser's: many cards come and go
 * with every turn of a wheel.
 */
export const ProposalCard = memo(function ProposalCard({ proposal, onDecide }: CardProps) {
  const { t, i18n } = useTranslation();
  const { id, rawSubject, rawSnippet, sentAt, triagedAt, reason, reasonCode, status } = proposal;
  const subject = line(rawSubject ?? "") || t("card.noSubject");
  const at = sentAt ?? triagedAt;
  return (
    <article aria-labelledby={titleId(id)} className="card">
      <div className="card-text">
        <h2>
          <Link id={titleId(id)} to="/items/$id" params={{ id }} dir="auto">
            {subject}
          </Link>
        </h2>
        <p className="card-about">
          <bdi className="card-sender">{senderOf(proposal)}</bdi>
          <time dateTime={new Date(at).toISOString()}>{dateText(at, i18n.language)}</time>
          <span className="card-why">{reason === null ? t(`why.${reasonCode}`) : <bdi>{line(reason)}</bdi>}</span>
        </p>
        <p className="card-snippet" dir="auto">
          {line(rawSnippet ?? "")}
        </p>
      </div>
      {status === "pending" ? (
        <div className="card-actions">
          <button
            type="button"
            className="approve"
            aria-label={t("card.approveOne", { subject })}
            onClick={() => onDecide(proposal, "approved")}
          >
            {t("card.approve")}
          </button>
          <button
            type="button"
            className="reject"
            aria-label={t("card.rejectOne", { subject })}
            onClick={() => onDecide(proposal, "rejected")}
          >
            {t("card.reject")}
          </button>
        </div>
      ) : (
        <p className="card-status">{t(`filter.${status}`)}</p>
      )}
    </article>
  );
});
