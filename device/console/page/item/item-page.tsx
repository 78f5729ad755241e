import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "../inbox/inbox.css";
import "./item.css";
import { answerOf, api, type Proposal } from "../app/api.ts";
import { useKeys } from "../app/keys.ts";
import { line } from "../app/shown-text.ts";
import { useDeciding } from "../decide/deciding.tsx";
import { meant, type Outcome, useDecisions } from "../inbox/decisions.ts";
import { Failed, Loading } from "../states/states.tsx";
import { Conflict } from "./conflict.tsx";
import { Conversation } from "./conversation.tsx";
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
          <ItemDraft proposal={data} />
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
  const deciding = useDeciding({ onDone: (ids) => ids.length > 0 && void navigate({ to: "/inbox" }) });
  const isOpen = proposal.status === "pending";
  const one = meant([proposal]);
  const settle = (outcome: Outcome) => {
    if (!isOpen) return;
    decide(proposal, outcome);
    void navigate({ to: "/inbox" });
  };
  useKeys({
    a: () => settle("approved"),
    r: () => settle("rejected"),
    e: () => isOpen && deciding.ask("edit", one),
    s: () => isOpen && deciding.ask("snooze", one),
    u: () => void undo(),
  });
  return (
    <>
      {!isOpen && <p className="item-status">{t(`status.${proposal.status}`)}</p>}
      {proposal.isInConflict && <Conflict proposal={proposal} />}
      {isOpen ? (
        <div className="card-actions">
          <Button className="approve" onPress={() => settle("approved")}>
            {t("card.approve")}
          </Button>
          <Button className="reject" onPress={() => settle("rejected")}>
            {t("card.reject")}
          </Button>
          <Button onPress={() => deciding.ask("edit", one)}>{t("deed.edit")}</Button>
          <Button onPress={() => deciding.ask("snooze", one)}>{t("deed.snooze")}</Button>
          <More proposal={proposal} onOpen={deciding.openMenu} />
        </div>
      ) : (
        proposal.status === "approved" && (
          <div className="card-actions">
            <Button onPress={() => deciding.ask("edit", one)}>{t("draft.convert")}</Button>
          </div>
        )
      )}
      {deciding.dialogs}
    </>
  );
}

interface MoreProps {
  readonly proposal: Proposal;
  readonly onOpen: (proposal: Proposal, button: Element) => void;
}

function More({ proposal, onOpen }: MoreProps) {
  const { t } = useTranslation();
  return (
    <button type="button" onClick={({ currentTarget }) => onOpen(proposal, currentTarget)}>
      {t("deed.more")}
    </button>
  );
}
