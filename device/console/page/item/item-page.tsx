import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "../inbox/inbox.css";
import "./item.css";
import { answerOf, api, type Proposal } from "../app/api.ts";
import { useKeys } from "../app/keys.ts";
import { line } from "../app/shown-text.ts";
import { type Outcome, useDecisions } from "../inbox/decisions.ts";
import { Failed, Loading } from "../states/states.tsx";
import { Conversation } from "./conversation.tsx";
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
  const subject = line(data?.rawSubject ?? "") || t("card.noSubject");
  return (
    <section className="item">
      <p>
        <Link to="/inbox">{t("item.back")}</Link>
      </p>
      {proposal.isPending && <Loading />}
      {proposal.isError && <Failed error={proposal.error} onRetry={() => void proposal.refetch()} />}
      {data !== undefined && (
        <>
          <h1 dir="auto">{subject}</h1>
          <ItemFacts proposal={data} />
          <Decision proposal={data} />
          <ItemText id={id} />
          <Conversation id={id} />
        </>
      )}
    </section>
  );
}

function Decision({ proposal }: { readonly proposal: Proposal }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { decide, undo } = useDecisions();
  const isOpen = proposal.status === "pending";
  const settle = (outcome: Outcome) => {
    if (!isOpen) return;
    void decide(proposal, outcome);
    void navigate({ to: "/inbox" });
  };
  useKeys({ a: () => settle("approved"), r: () => settle("rejected"), u: () => void undo() });
  if (!isOpen) return <p className="item-status">{t(`status.${proposal.status}`)}</p>;
  return (
    <div className="card-actions">
      <Button className="approve" onPress={() => settle("approved")}>
        {t("card.approve")}
      </Button>
      <Button className="reject" onPress={() => settle("rejected")}>
        {t("card.reject")}
      </Button>
    </div>
  );
}
