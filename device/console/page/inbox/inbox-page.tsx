import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "./inbox.css";
import { useKeys } from "../app/keys.ts";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { useDecisions } from "./decisions.ts";
import { Filters } from "./filters.tsx";
import { KeyHelp } from "./key-help.tsx";
import { ProposalList } from "./proposal-list.tsx";
import { useCounts, usePending } from "./proposals.ts";

const route = getRouteApi("/inbox");

/** What waits for a decision. */
export function InboxPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = useNavigate();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { decide, undo } = useDecisions();
  const pending = usePending(search);
  const { data: counts } = useCounts(search);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pending;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  useKeys({ u: () => void undo(), "?": () => setHelpOpen(true) });
  const proposals = pending.data?.pages.flatMap((page) => page.proposals) ?? [];
  const total = counts?.facets.total ?? proposals.length;
  return (
    <section className="inbox">
      <div className="inbox-head">
        <h1>{t("nav.inbox")}</h1>
        <p role="status">{t("inbox.waiting", { count: total })}</p>
        <Filters search={search} />
        <Button onPress={() => setHelpOpen(true)}>{t("keys.title")}</Button>
      </div>
      {pending.isError && <Failed error={pending.error} onRetry={() => void pending.refetch()} />}
      {pending.isPending && <Loading />}
      {pending.isSuccess && proposals.length === 0 && !hasNextPage && (
        <Empty title={t("inbox.empty")} hint={t("inbox.emptyHint")} />
      )}
      {proposals.length > 0 && (
        <ProposalList
          proposals={proposals}
          total={total}
          onDecide={(proposal, outcome) => void decide(proposal, outcome)}
          onOpen={({ id }) => void navigate({ to: "/items/$id", params: { id } })}
          onEnd={onEnd}
        />
      )}
      <KeyHelp isOpen={isHelpOpen} onChange={setHelpOpen} />
    </section>
  );
}
