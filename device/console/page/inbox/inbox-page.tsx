import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "./inbox.css";
import "./card.css";
import { useKeys } from "../app/keys.ts";
import { pagesOf } from "../list/pages.ts";
import { useGo } from "../routes/go.ts";
import { Missing } from "../states/missing.tsx";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { decidedIds, useDecisions, useLastDecisions } from "./decisions.ts";
import { Filters } from "./filters.tsx";
import { KeyHelp } from "./key-help.tsx";
import { lookAtList } from "./list-left.ts";
import { placeIn } from "./place.ts";
import { ProposalList } from "./proposal-list.tsx";
import { type Narrowed, useProposals } from "./proposals.ts";
import { SearchBox } from "./search-box.tsx";
import { inboxWords } from "./search-words.ts";

const route = getRouteApi("/inbox");
const nobody: ReadonlySet<string> = new Set();

/** What waits for a decision, or what has become of it. */
export function InboxPage() {
  const { t } = useTranslation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { undo } = useDecisions();
  const search = route.useSearch();
  const narrowed = { ...search, words: inboxWords.use() };
  useEffect(() => lookAtList({ to: "/inbox", search }), [search]);
  useKeys({ u: () => void undo(), "?": () => setHelpOpen(true) });
  return (
    <section className="inbox">
      <div className="inbox-head">
        <h1>{t("nav.inbox")}</h1>
        <SearchBox words={inboxWords} hint={t("filter.searchHint")} longest={200} />
        <Button onPress={() => setHelpOpen(true)}>{t("keys.title")}</Button>
        <Filters narrowed={narrowed} />
      </div>
      <Proposals key={JSON.stringify(narrowed)} narrowed={narrowed} />
      <KeyHelp isOpen={isHelpOpen} onChange={setHelpOpen} />
    </section>
  );
}

function Proposals({ narrowed }: { readonly narrowed: Narrowed }) {
  const { t } = useTranslation();
  const go = useGo();
  const { decide, undecide, reopen } = useDecisions();
  const isWaiting = narrowed.status === undefined;
  const decided = decidedIds(useLastDecisions());
  const begin = placeIn(narrowed).first;
  const [pages, setPages] = useState<readonly number[]>(() => pagesOf(begin, begin));
  const { list, error, older, retry } = useProposals(narrowed, pages, isWaiting ? decided : nobody);
  const failure = error === null ? null : <Failed error={error} onRetry={retry} />;
  if (list === undefined) return failure ?? <Loading />;
  const count = list.total;
  const { words, by: _, ...filters } = narrowed;
  const isNarrowed = words !== "" || Object.values(filters).some((each) => each !== undefined);
  return (
    <>
      <p className="inbox-count" role="status">
        {t(isWaiting && narrowed.words === "" ? "inbox.waiting" : "inbox.found", { count })}
      </p>
      {failure}
      <Missing of={older} />
      {count === 0 && (
        <Empty
          title={t(isNarrowed ? "inbox.nothingFound" : "inbox.empty")}
          hint={t(isNarrowed ? "inbox.nothingFoundHint" : "inbox.emptyHint")}
        />
      )}
      {count > 0 && (
        <ProposalList
          list={list}
          narrowed={narrowed}
          onDecide={decide}
          onReturn={(proposal, way) => (way === "undo" ? undecide(proposal) : reopen(proposal))}
          onOpen={({ id }) => void go({ to: "/items/$id", params: { id } })}
          onPages={setPages}
        />
      )}
    </>
  );
}
