import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { whenText } from "../decide/when-text.ts";

const shownCauses = 2;

/** How what is made of it is called: as device/proposals/draft/draft-outcome.ts calls it in the same language. */
function calledIn(t: TFunction, { title, answers }: NonNullable<Proposal["becomes"]>): string {
  if (answers === null) return line(title);
  const words = { who: line(answers), title: line(title) };
  return t(answers === "" ? "card.answer" : "card.answerTo", words);
}

/** What a proposal is and would become: how soon, what, when, how it would be called, and why. */
export function DraftLine({ proposal }: { readonly proposal: Proposal }) {
  const { t, i18n } = useTranslation();
  const { category, priority, payload, takesPlace, becomes, causes, rawSubject, isOverdue } = proposal;
  if (payload === null) return null;
  const when = whenText({ ...payload, ...takesPlace }, i18n.language);
  const title = becomes === null ? "" : calledIn(t, becomes);
  const why = causes.filter((cause) => cause !== priority).slice(0, shownCauses);
  return (
    <p className="card-draft">
      {priority !== "none" && <span className={`soon ${priority}`}>{t(`priority.${priority}`)}</span>}
      <span>{t(`category.${category}`)}</span>
      {when !== "" && (
        <span className={isOverdue ? "overdue" : undefined}>
          {t(isOverdue ? "card.overdue" : becomes?.kind === "event" ? "card.when" : "card.due", { when })}
        </span>
      )}
      {title !== "" && title !== line(rawSubject ?? "") && (
        // What parts it from the others is not turned with it, where it is read from right to left.
        <span>
          <bdi>{title}</bdi>
        </span>
      )}
      {why.map((cause) => (
        // `to_many` would be the plural of another text.
        <span key={cause}>{t(`because.${cause.replaceAll("_", "-")}`)}</span>
      ))}
    </p>
  );
}
