import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { dateText, line } from "../app/shown-text.ts";
import { Confirm } from "../form/confirm.tsx";
import { Missing } from "../states/missing.tsx";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { forgetDraft, type UnreadableDraft } from "./drafts.ts";
import { Editor } from "./editor.tsx";
import { useDrafts } from "./queries.ts";
import { useFreeDraft } from "./use-free-draft.ts";

const route = getRouteApi("/unsaved/$id");

/** All that was typed into files and not saved, also into such as are gone. */
export function UnsavedPage() {
  const { t, i18n } = useTranslation();
  const found = useDrafts();
  const { drafts, unreadable } = found.data ?? { drafts: [], unreadable: [] };
  return (
    <section className="page">
      <h1>{t("projects.edit.unsaved")}</h1>
      {found.isPending && <Loading />}
      {found.isError && <Failed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && drafts.length + unreadable.length === 0 && (
        <Empty title={t("projects.edit.noneUnsaved")} hint={t("projects.edit.noneUnsavedHint")} />
      )}
      <ul className="plain projects">
        {drafts.map(({ id, path, projectName, at }) => (
          <li key={id}>
            <Link to="/unsaved/$id" params={{ id }} dir="auto">
              {line(path)}
            </Link>
            <p className="about">
              <bdi>{line(projectName)}</bdi>
              <time dateTime={new Date(at).toISOString()}>{dateText(at, i18n.language)}</time>
            </p>
          </li>
        ))}
      </ul>
      {unreadable.length > 0 && <Unreadable drafts={unreadable} onForgotten={() => void found.refetch()} />}
    </section>
  );
}

interface UnreadableProps {
  readonly drafts: readonly UnreadableDraft[];
  readonly onForgotten: () => void;
}

/** What was typed and cannot be read any more: a person hears of it, and lets go of it by hand. */
function Unreadable({ drafts, onForgotten }: UnreadableProps) {
  const { t, i18n } = useTranslation();
  return (
    <>
      <h2>{t("projects.edit.unreadable")}</h2>
      <p className="hint">{t("projects.edit.unreadableHint")}</p>
      <ul className="plain projects">
        {drafts.map(({ id, at }) => (
          <li key={id}>
            <p className="about">
              <time dateTime={new Date(at).toISOString()}>{dateText(at, i18n.language)}</time>
              <bdi>device/console/drafts/{id}.json</bdi>
            </p>
            <Confirm
              button={t("projects.edit.discard")}
              title={t("projects.edit.discardTitle")}
              hint={t("projects.edit.unreadableHint")}
              onConfirm={() => void forgetDraft(id).then(onForgotten)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** One of them, to be gone on with. */
export function UnsavedText() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const found = useDrafts();
  const drafts = found.data?.drafts.filter((each) => each.id === id);
  const free = useFreeDraft(drafts);
  const isGone = drafts?.length === 0;
  return (
    <section className="page">
      <p>
        <Link to="/unsaved">{t("projects.edit.unsaved")}</Link>
      </p>
      {found.isError && <Failed error={found.error} onRetry={() => void found.refetch()} />}
      {!found.isError && free === undefined && <Loading />}
      {free === null && (
        <Empty
          title={t(isGone ? "projects.edit.settled" : "projects.edit.elsewhere")}
          hint={t(isGone ? "projects.edit.settledHint" : "projects.edit.elsewhereHint")}
        />
      )}
      {free !== undefined && free !== null && (
        <>
          <h1 dir="auto">{line(free.path)}</h1>
          <Editor key={id} start={free} redactions={0} />
        </>
      )}
    </section>
  );
}

/** Leads to them, where there are any. */
export function UnsavedLink() {
  const { t } = useTranslation();
  const asked = useDrafts();
  const { drafts, unreadable } = asked.data ?? { drafts: [], unreadable: [] };
  const count = drafts.length + unreadable.length;
  if (count === 0) return <Missing of={[asked]} />;
  return (
    <p>
      <Link to="/unsaved">{t("projects.edit.countUnsaved", { count })}</Link>
    </p>
  );
}
