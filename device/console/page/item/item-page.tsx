import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import "../inbox/card.css";
import "./item.css";
import { answerOf, api } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { listLeft } from "../inbox/list-left.ts";
import { Failed, Loading } from "../states/states.tsx";
import { Conversation } from "./conversation.tsx";
import { ItemDecision } from "./item-decision.tsx";
import { ItemDraft } from "./item-draft.tsx";
import { ItemFacts } from "./item-facts.tsx";
import { ItemText } from "./item-text.tsx";

const route = getRouteApi("/items/$id");

/** One item: what is known of it, and its text as its source has it, asked for once and kept nowhere. */
export function ItemPage() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const proposal = useQuery({
    queryKey: ["proposal", id],
    queryFn: () => answerOf(api.proposals[":id"].$get({ param: { id } })),
  });
  const { data } = proposal;
  const back = listLeft();
  const subject = line(data?.rawSubject ?? "") || t("card.noSubject");
  return (
    <section className="item">
      <p>
        <Link {...back}>{t(back.to === "/" ? "notFound.back" : "item.back")}</Link>
      </p>
      {proposal.isPending && <Loading />}
      {proposal.isError && <Failed error={proposal.error} onRetry={() => void proposal.refetch()} />}
      {data !== undefined && (
        <>
          <h1 dir="auto">{subject}</h1>
          <ItemFacts proposal={data} />
          <ItemDecision proposal={data} />
          <ItemDraft proposal={data} />
          {data.closedReason === "scout_removed" ? <p className="hint">{t("item.textGone")}</p> : <ItemText id={id} />}
          <Conversation id={id} />
        </>
      )}
    </section>
  );
}
