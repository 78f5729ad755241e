import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../form/button.tsx";
import "../inbox/inbox.css";
import { answerOf, api } from "../app/api.ts";
import { Choice } from "../app/choice.tsx";
import { line } from "../app/shown-text.ts";
import { useScouts } from "../inbox/proposals.ts";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { DismissedRow } from "./dismissed-row.tsx";

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
  const client = useQueryClient();
  const pages = useInfiniteQuery({
    queryKey: ["dismissed", scout],
    queryFn: ({ pageParam }) =>
      answerOf(api.dismissed.$get({ query: { scout, ...(pageParam === "" ? {} : { cursor: pageParam }) } })),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: 0,
  });
  const restore = useMutation({
    mutationFn: (id: string) => answerOf(api.dismissed[":id"].restore.$post({ param: { id } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["dismissed", scout] }),
  });
  if (pages.isPending) return <Loading />;
  if (pages.isError) return <Failed error={pages.error} onRetry={() => void pages.refetch()} />;
  const items = pages.data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <Empty title={t("dismissed.empty")} hint={t("dismissed.emptyHint")} />;
  return (
    <>
      {restore.isError && <Failed error={restore.error} />}
      <ul className="plain" aria-label={t("nav.dismissed")}>
        {items.map((item) => (
          <DismissedRow
            key={item.ref}
            item={item}
            isBusy={restore.isPending && restore.variables === `${scout}.${item.ref}`}
            onRestore={() => restore.mutate(`${scout}.${item.ref}`)}
          />
        ))}
      </ul>
      {pages.hasNextPage && (
        <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
          {t("dismissed.more")}
        </Button>
      )}
    </>
  );
}
