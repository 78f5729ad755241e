import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../form/button.tsx";
import "../inbox/inbox.css";
import "../inbox/card.css";
import "./dismissed.css";
import { answerOf, api, type Dismissed } from "../app/api.ts";
import { Choice } from "../app/choice.tsx";
import { line } from "../app/shown-text.ts";
import { useScouts } from "../inbox/proposals.ts";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { DismissedRow } from "./dismissed-row.tsx";
import { useSubject } from "./use-subject.ts";

/** What scouts took for spam, and the way back. */
export function DismissedPage() {
  const { t } = useTranslation();
  const scouts = useScouts();
  const [chosen, setChosen] = useState<string>();
  const scout = chosen ?? scouts.data?.[0]?.id;
  return (
    <section className="dismissed">
      <div className="inbox-head">
        <h1>{t("nav.dismissed")}</h1>
        {scouts.data !== undefined && scout !== undefined && (
          <Choice
            label={t("filter.scout")}
            value={scout}
            options={scouts.data.map(({ id, name }) => [id, line(name)] as const)}
            onChange={setChosen}
          />
        )}
      </div>
      {scouts.isPending && <Loading />}
      {scouts.isError && <Failed error={scouts.error} onRetry={() => void scouts.refetch()} />}
      {scouts.isSuccess && scout === undefined && (
        <Empty title={t("dismissed.noScout")} hint={t("dismissed.noScoutHint")} />
      )}
      {scout !== undefined && <DismissedBy key={scout} scout={scout} />}
    </section>
  );
}

function DismissedBy({ scout }: { readonly scout: string }) {
  const { t } = useTranslation();
  const pages = useInfiniteQuery({
    queryKey: ["dismissed", scout],
    queryFn: ({ pageParam }) =>
      answerOf(api.dismissed.$get({ query: { scout, ...(pageParam === "" ? {} : { cursor: pageParam }) } })),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: 0,
  });
  const idOf = ({ ref }: Dismissed) => `${scout}.${ref}`;
  const subjectOf = useSubject();
  const [restored, setRestored] = useState<Dismissed>();
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const rows = useNextOf(items, restored);
  if (pages.isPending) return <Loading />;
  const failure = pages.isError && (
    <Failed
      error={pages.error}
      onRetry={() => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch())}
    />
  );
  if (pages.data === undefined) return failure;
  return (
    <>
      <p role="status">{restored !== undefined && t("dismissed.restored", { subject: subjectOf(restored) })}</p>
      {items.length === 0 && <Empty title={t("dismissed.empty")} hint={t("dismissed.emptyHint")} />}
      <ul className="plain" aria-label={t("nav.dismissed")} ref={rows}>
        {items.map((item) => (
          <DismissedRow key={item.ref} item={item} id={idOf(item)} onRestored={() => setRestored(item)} />
        ))}
      </ul>
      {failure}
      {pages.hasNextPage && !pages.isError && (
        <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
          {t("dismissed.more")}
        </Button>
      )}
    </>
  );
}

/** The list whose next row has the focus when the one that was taken back is gone. */
function useNextOf(items: readonly Dismissed[], taken: Dismissed | undefined) {
  const rows = useRef<HTMLUListElement>(null);
  const place = useRef<number>(undefined);
  const at = taken === undefined ? -1 : items.findIndex(({ ref }) => ref === taken.ref);
  useEffect(() => {
    const before = place.current;
    place.current = at === -1 ? undefined : at;
    if (at !== -1 || before === undefined || taken === undefined) return;
    const buttons = rows.current?.querySelectorAll<HTMLElement>(".restore") ?? [];
    buttons[Math.min(before, buttons.length - 1)]?.focus();
  }, [at, taken]);
  return rows;
}
