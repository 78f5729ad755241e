import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { dateText, line, senderOf } from "../app/shown-text.ts";
import { Missing } from "../states/missing.tsx";

/** The other proposals of an item's conversation, as far as this device has seen them. Nothing where it stands alone. */
export function Conversation({ id }: { readonly id: string }) {
  const { t, i18n } = useTranslation();
  const asked = useQuery({
    queryKey: ["conversation", id],
    queryFn: () => answerOf(api.proposals[":id"].conversation.$get({ param: { id } })),
  });
  const { data } = asked;
  const others = data?.proposals.filter((each) => each.id !== id) ?? [];
  if (data === undefined || others.length === 0) return <Missing of={[asked]} />;
  return (
    <section className="conversation" aria-labelledby="conversation">
      <h2 id="conversation">{t("item.conversation", { count: data.total })}</h2>
      <Missing of={[asked]} />
      <ul>
        {others.map((each) => (
          <li key={each.id}>
            <Link to="/items/$id" params={{ id: each.id }} dir="auto">
              {line(each.rawSubject ?? "") || t("card.noSubject")}
            </Link>
            <p className="card-about">
              <bdi>{senderOf(each)}</bdi>
              <span>{dateText(each.writtenAt, i18n.language)}</span>
              <span>{t(`filter.${each.status}`)}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
