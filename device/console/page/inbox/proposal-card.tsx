import { Link } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { dateText, line, senderOf } from "../app/shown-text.ts";
import type { Outcome } from "./decisions.ts";

interface CardProps {
  readonly proposal: Proposal;
  readonly onDecide: (outcome: Outcome) => void;
}

export const titleId = (id: string): string => `title-${id}`;

/** A proposal in a list: who, when, why, how it begins, and what can be done. */
export function ProposalCard({ proposal, onDecide }: CardProps) {
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
          <Button
            className="approve"
            aria-label={t("card.approveOne", { subject })}
            onPress={() => onDecide("approved")}
          >
            {t("card.approve")}
          </Button>
          <Button className="reject" aria-label={t("card.rejectOne", { subject })} onPress={() => onDecide("rejected")}>
            {t("card.reject")}
          </Button>
        </div>
      ) : (
        <p className="card-status">{t(`filter.${status}`)}</p>
      )}
    </article>
  );
}
