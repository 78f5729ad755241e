import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { line, lines } from "../app/shown-text.ts";
import { useCopy } from "../form/copy.ts";
import { Problem } from "../form/problem.tsx";
import { DraftLine } from "../inbox/draft-line.tsx";

/** What would be made of an item, where it is quoted, and the answer that is drafted. */
export function ItemDraft({ proposal }: { readonly proposal: Proposal }) {
  const { t } = useTranslation();
  const { payload, reply } = proposal;
  if (payload === null) return null;
  return (
    <section className="item-draft" aria-labelledby="item-draft">
      <h2 id="item-draft">{t(proposal.status === "pending" ? "item.draft" : "item.draftThen")}</h2>
      <DraftLine proposal={proposal} />
      {payload.place !== "" && (
        <p>
          {t("draft.place")}: <bdi>{line(payload.place)}</bdi>
        </p>
      )}
      {payload.quotes.map((quote) => (
        <blockquote key={quote} dir="auto">
          {line(quote)}
        </blockquote>
      ))}
      {reply === "" ? (
        payload.note !== "" && (
          <p className="draft-note" dir="auto">
            {lines(payload.note)}
          </p>
        )
      ) : (
        <Reply text={reply} />
      )}
    </section>
  );
}

/** The text of an answer, to be copied: nothing is sent. */
function Reply({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const { copy, copied, error } = useCopy();
  return (
    <>
      <p className="draft-note" dir="auto">
        {lines(text)}
      </p>
      <div className="buttons">
        <Button onPress={() => copy(text)}>{t("deed.copy")}</Button>
        <span role="status">{copied === text && t("item.copied")}</span>
      </div>
      <Problem error={error} />
    </>
  );
}
