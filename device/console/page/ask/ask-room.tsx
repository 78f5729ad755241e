import { useEffect, useEffectEvent, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "./ask.css";
import { Choice } from "../app/choice.tsx";
import { line } from "../app/shown-text.ts";
import { useFindings } from "../settings/use-findings.ts";
import { Missing } from "../states/missing.tsx";
import { Failed, Loading } from "../states/states.tsx";
import { beginAsking, cancelAsking, endOf, forgetAsking, keepTyped, useAsking } from "./asking.ts";
import { Composer } from "./composer.tsx";
import { Conversations } from "./conversations.tsx";
import { Exchange } from "./exchange.tsx";
import { useConversation, useSetting } from "./queries.ts";
import { Running } from "./running.tsx";

/** Nothing in particular is asked: all that the device may read. */
const all = "all";

interface AskRoomProps {
  /** The project that is asked about; of all that the device may read where there is none. */
  readonly projectId?: string | undefined;
  /** The conversation that is open, by its last answer. */
  readonly id: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

/** Questions, their answers, and what was asked before. */
export function AskRoom({ projectId, id, onOpen }: AskRoomProps) {
  const { t } = useTranslation();
  const scope = projectId ?? all;
  const asking = useAsking(scope);
  const setting = useSetting();
  const [chosen, setChosen] = useState(all);
  const [rewritten, setRewritten] = useState(0);
  const isHere = asking !== undefined && asking.question.follows === id;
  const answerId = asking?.state === "answered" ? asking.end?.answerId : undefined;
  const openAnswer = useEffectEvent((answer: string) => {
    forgetAsking(scope);
    onOpen(answer);
  });
  // An answer that is kept is shown in its conversation; whoever reads another one is left there.
  useEffect(() => {
    if (answerId != null && isHere) openAnswer(answerId);
  }, [answerId, isHere]);

  const send = (text: string, attachments: readonly string[]) => {
    const of = projectId ?? (id === undefined && chosen !== all ? chosen : undefined);
    void beginAsking(scope, {
      text,
      ...(of !== undefined && { projectId: of }),
      ...(id !== undefined && { follows: id }),
      ...(attachments.length > 0 && { attachments }),
    });
  };
  const again = () => {
    const { text = "", attachments = [] } = asking?.question ?? {};
    keepTyped(scope, { text, attached: attachments.join("\n") });
    forgetAsking(scope);
    setRewritten((count) => count + 1);
  };
  const projects = setting.data?.projects ?? [];
  return (
    <div className="ask-room">
      <div className="ask-main">
        <Missing of={[setting]} />
        {id !== undefined && (
          <div className="buttons">
            <Button onPress={() => onOpen(undefined)}>{t("ask.new")}</Button>
          </div>
        )}
        {id !== undefined && <Open key={id} id={id} />}
        {isHere && <Running asking={asking} onAgain={again} />}
        {asking !== undefined && !isHere && asking.state === "asked" && (
          <p className="notice">
            {t("ask.elsewhere")} <Button onPress={() => onOpen(asking.question.follows)}>{t("ask.goThere")}</Button>
          </p>
        )}
        {projectId === undefined && id === undefined && (setting.isPending || projects.length > 0) && (
          <Choice
            label={t("ask.about")}
            value={chosen}
            options={[[all, t("ask.everything")], ...projects.map((each) => [each.id, line(each.name)] as const)]}
            onChange={setChosen}
          />
        )}
        <Composer
          key={`${scope} ${rewritten}`}
          scope={scope}
          isFollowUp={id !== undefined}
          isAsking={asking?.state === "asked"}
          isAgain={rewritten > 0}
          onAsk={send}
          onCancel={() => cancelAsking(scope)}
        />
        {/* Below what is typed: it comes later. */}
        <ModelState />
      </div>
      <Conversations projectId={projectId} openId={id} onOpen={onOpen} />
    </div>
  );
}

/** What keeps the model from answering, and what to do; that it is the built-in one. */
function ModelState() {
  const { t } = useTranslation();
  const { data, dataUpdatedAt } = useSetting();
  const said = useFindings(dataUpdatedAt);
  const model = data?.model;
  if (!model) return null;
  if (model.trouble === null) return model.isBuiltIn ? <p className="hint">{t("ask.builtIn")}</p> : null;
  const { detail, advice, lang } = said(model.trouble);
  return (
    <p className="trouble" role="alert" lang={lang}>
      {detail} {advice}
    </p>
  );
}

/** A conversation, as far as it is kept. */
function Open({ id }: { readonly id: string }) {
  const { data, error, refetch } = useConversation(id);
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return data.exchanges.map((exchange) => {
    const known = endOf(exchange.id);
    const { question, answer, files, projectId } = exchange;
    return (
      <Exchange key={exchange.id} {...{ question, answer, files, projectId }} steps={known?.steps} end={known?.end} />
    );
  });
}
