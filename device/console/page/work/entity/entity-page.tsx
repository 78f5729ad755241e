import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../app/api.ts";
import { dateText, line } from "../../app/shown-text.ts";
import { Button } from "../../form/button.tsx";
import { Pairs } from "../../form/pairs.tsx";
import { Problem } from "../../form/problem.tsx";
import { useGo } from "../../routes/go.ts";
import { Empty, Failed, Loading } from "../../states/states.tsx";
import { ExportButton } from "../files.tsx";
import { FromProposal } from "../from-proposal.tsx";
import { type Kind, kindOf, listOf } from "../kinds.ts";
import { type One, useHistory, useOne, useRemove, useSetDone, useUndo } from "../queries.ts";
import { WorkFrame } from "../work-frame.tsx";
import { EntityForm } from "./entity-form.tsx";
import { HistoryPanel } from "./history-panel.tsx";
import { repeatLines } from "./repeat-text.ts";

const route = getRouteApi("/work/$kind/$id");

/** One task, event, note, person or fact. */
export function EntityPage() {
  const { t } = useTranslation();
  const { kind: path, id } = route.useParams();
  const kind = kindOf(path);
  if (kind === undefined) {
    return (
      <WorkFrame title={t("work.nav.label")}>
        <Empty title={t("work.gone")} hint={t("work.neverHint")} />
      </WorkFrame>
    );
  }
  return <Known key={id} kind={kind} id={id} />;
}

function Known({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { t } = useTranslation();
  const one = useOne(kind, id);
  const isGone = one.error instanceof ApiError && [400, 404].includes(one.error.status);
  const title = one.data === undefined || isGone ? t(`work.one.${kind}`) : line(titleOf(one.data));
  return (
    <WorkFrame title={title}>
      <p>
        <Link to={listOf[kind]}>{t(`work.back.${kind}`)}</Link>
      </p>
      {one.isPending && <Loading />}
      {isGone && <Gone kind={kind} id={id} />}
      {one.isError && !isGone && <Failed error={one.error} onRetry={() => void one.refetch()} />}
      {one.data !== undefined && !isGone && <Found kind={kind} one={one.data} />}
    </WorkFrame>
  );
}

/**
 * It was taken away, here or elsewhere, as its history says; what was typed meanwhile is kept and there again when it is. What has
 * no history was never there.
 */
function Gone({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { t } = useTranslation();
  const undo = useUndo([t("work.bringBack"), t(`work.one.${kind}`)]);
  const history = useHistory(kind, id);
  if (history.isPending) return <Loading />;
  const [last] = history.data?.changes ?? [];
  if (history.data?.total === 0) return <Empty title={t("work.gone")} hint={t("work.neverHint")} />;
  return (
    <>
      <Empty title={t("work.gone")} hint={t("work.goneHint")} />
      <div className="buttons work-bring">
        {/* By its number: without one, a second press would take back what was done before it was taken away. */}
        <Button
          isPending={undo.isPending}
          onPress={() => undo.mutate({ kind, id, ...(last && { change: last.number }) })}
        >
          {t("work.bringBack")}
        </Button>
      </div>
      <Problem error={undo.error} />
    </>
  );
}

const titleOf = ({ entity }: One): string =>
  "title" in entity ? entity.title : "name" in entity ? entity.name : entity.fact;

function Found({ kind, one }: { readonly kind: Kind; readonly one: One }) {
  const { t, i18n } = useTranslation();
  const go = useGo();
  const { entity, source, gap, repeats } = one;
  const remove = useRemove([t("work.remove"), titleOf(one)], kind, () => void go({ to: listOf[kind] }));
  const setDone = useSetDone([t("work.complete"), titleOf(one)]);
  const isDone = "status" in entity && entity.status === "done";
  return (
    <div className="panels">
      <section className="panel" aria-label={t(`work.one.${kind}`)}>
        <div className="buttons">
          {kind === "task" && (
            <Button isDisabled={setDone.isPending} onPress={() => setDone.mutate({ id: entity.id, isDone: !isDone })}>
              {t(isDone ? "work.reopen" : "work.complete")}
            </Button>
          )}
          {kind === "event" && <ExportButton label={t("work.exportOne")} request={{ what: "events", id: entity.id }} />}
          {kind === "note" && <ExportButton label={t("work.exportOne")} request={{ what: "notes", id: entity.id }} />}
          <Button className="reject" isDisabled={remove.isPending} onPress={() => remove.mutate(entity.id)}>
            {t("work.remove")}
          </Button>
        </div>
        <Problem error={setDone.error ?? remove.error} />
        <EntityForm kind={kind} one={one} called={titleOf(one)} />
      </section>
      <section className="panel" aria-labelledby="facts">
        <h2 id="facts">{t("work.facts")}</h2>
        <Pairs
          pairs={[
            ...(source === null ? [] : [[t("work.source"), <FromProposal key="from" {...source} />] as const]),
            ...(repeats === null
              ? []
              : [[t("work.repeats"), <Rules key="rules" repeats={repeats} gap={gap} />] as const]),
            [t("work.made"), dateText(entity.createdAt, i18n.language)],
            [t("work.changed"), dateText(entity.updatedAt, i18n.language)],
            ["id", <code key="id">{entity.id}</code>],
          ]}
        />
      </section>
      <HistoryPanel kind={kind} id={entity.id} called={titleOf(one)} />
    </div>
  );
}

/** How often one of a series takes place, and why not all of its times are known. */
function Rules({ repeats, gap }: { readonly repeats: NonNullable<One["repeats"]>; readonly gap: One["gap"] }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {repeatLines(repeats, t, i18n.language).map((said) => (
        <p key={said}>
          <bdi>{said}</bdi>
        </p>
      ))}
      {gap !== null && <p className="trouble">{t(`series.gap.${gap}`)}</p>}
    </>
  );
}
