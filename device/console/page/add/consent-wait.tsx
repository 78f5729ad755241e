import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ApiError, answerOf, api } from "../app/api.ts";
import { waitsForPerson } from "../app/late.ts";
import { webLink } from "../app/shown-text.ts";
import { Problem } from "../form/problem.tsx";
import type { Connecting } from "../scouts/queries.ts";

type Asked = Extract<Connecting, { status: "asked" }>;
type Connected = Extract<Connecting, { status: "done" }>["connected"];

interface ConsentWaitProps {
  readonly asked: Asked;
  readonly onDone: (connected: Connected) => void;
  readonly onCancel: () => void;
}

/** Leads to the source's own consent page, in another tab, and waits for what came of it. */
export function ConsentWait({ asked, onDone, onCancel }: ConsentWaitProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id } = asked;
  const outcome = useQuery({
    queryKey: ["connection", id],
    queryFn: () => answerOf(api.connections[":id"].$get({ param: { id } })),
    gcTime: 0,
    meta: waitsForPerson,
  });
  const cancel = useMutation({
    mutationFn: () => answerOf(api.connections[":id"].$delete({ param: { id } })),
    onSettled: onCancel,
  });
  const settle = useEffectEvent((connected: Connected) => {
    void client.invalidateQueries({ queryKey: ["scouts"] });
    onDone(connected);
  });
  const { data } = outcome;
  useEffect(() => {
    if (data !== undefined) settle(data);
  }, [data]);
  // The device has said nothing of the consent: it may have been given, or still be.
  const isUnheard = outcome.error instanceof ApiError && outcome.error.status === 0;
  const page = webLink(asked.url);
  return (
    <div className="form">
      <p>{t("consent.hint")}</p>
      <div className="buttons">
        {page !== undefined && (
          <a className="link-button primary" href={page} target="_blank" rel="noopener noreferrer">
            {t("consent.open")}
          </a>
        )}
        <Button onPress={() => (outcome.isError && !isUnheard ? onCancel() : cancel.mutate())}>
          {t("form.cancel")}
        </Button>
      </div>
      <p role="status">{outcome.isPending && t("consent.waiting")}</p>
      <Problem error={outcome.error} />
      {isUnheard && <Button onPress={() => void outcome.refetch()}>{t("state.retry")}</Button>}
    </div>
  );
}
