import { useQueryClient } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { dateText, line } from "../app/shown-text.ts";
import { Confirm } from "../form/confirm.tsx";
import { Problem } from "../form/problem.tsx";
import { useDeed } from "../form/use-deed.ts";
import { Failed, Loading } from "../states/states.tsx";
import { useConversations } from "./queries.ts";

interface ConversationsProps {
  readonly projectId: string | undefined;
  readonly openId: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

/** What was asked before, the latest first. */
export function Conversations({ projectId, openId, onOpen }: ConversationsProps) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const { data, error, refetch } = useConversations(projectId);
  const forget = useDeed({
    called: (id: string) => [t("ask.forget"), data?.conversations.find((each) => each.id === id)?.title ?? ""],
    mutationFn: (id: string) => answerOf(api.ask.conversations[":id"].$delete({ param: { id } })),
    onSuccess: async (_, id) => {
      if (id === openId) onOpen(undefined);
      await client.invalidateQueries({ queryKey: ["answers", "list"] });
    },
  });
  return (
    <section aria-labelledby="conversations" className="ask-earlier">
      <h2 id="conversations">{t("ask.earlier")}</h2>
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      {data?.conversations.length === 0 && <p className="hint">{t("ask.none")}</p>}
      <ul className="plain ask-list">
        {data?.conversations.map(({ id, title, project, askedAt, exchanges }) => (
          <li key={id} className={id === openId ? "ask-row ask-open" : "ask-row"}>
            <Button className="place-button ask-title" onPress={() => onOpen(id)}>
              <bdi>{line(title)}</bdi>
            </Button>
            <span className="hint">
              {project !== null && <bdi>{line(project)} · </bdi>}
              {dateText(askedAt, i18n.language)}
              {exchanges > 1 && <> · {t("ask.exchanges", { count: exchanges })}</>}
            </span>
            {id === openId && (
              <Confirm
                button={t("ask.forget")}
                title={t("ask.forgetTitle")}
                hint={t("ask.forgetHint")}
                onConfirm={() => forget.mutate(id)}
                isDisabled={forget.isPending}
              />
            )}
          </li>
        ))}
      </ul>
      {data !== undefined && data.total > data.conversations.length && (
        <p className="hint">
          {t("ask.moreKept", { count: data.total - data.conversations.length })} <code>scouts answers list</code>
        </p>
      )}
      <Problem error={forget.error} />
    </section>
  );
}
