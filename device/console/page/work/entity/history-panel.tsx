import { useTranslation } from "react-i18next";
import { dateText } from "../../app/shown-text.ts";
import { Button } from "../../form/button.tsx";
import { Problem } from "../../form/problem.tsx";
import type { Kind } from "../kinds.ts";
import { type Change, useHistory, useUndo } from "../queries.ts";

/** Fields that every change moves, or that say nothing to a person. */
const unsaid: ReadonlySet<string> = new Set(["doneAt", "sequence", "stampedAt", "isAllDay"]);

interface HistoryProps {
  readonly kind: Kind;
  readonly id: string;
  readonly called: string;
}

/** What was done to one, newest first; each can be taken back. */
export function HistoryPanel({ kind, id, called }: HistoryProps) {
  const { t, i18n } = useTranslation();
  const history = useHistory(kind, id);
  const undo = useUndo([t("done.undo"), called]);
  const changes = history.data?.changes ?? [];
  return (
    <section className="panel" aria-labelledby="history">
      <h2 id="history">{t("work.history")}</h2>
      <Problem error={history.error ?? undo.error} />
      <ol className="runs" reversed>
        {changes.map((change) => (
          <li key={change.number}>
            <time dateTime={new Date(change.at).toISOString()}>{dateText(change.at, i18n.language)}</time>
            <What change={change} />
            {!change.isUndone && (
              <Button
                aria-label={t("work.undoOne", { number: change.number })}
                isDisabled={undo.isPending}
                onPress={() => undo.mutate({ kind, id, change: change.number })}
              >
                {t("done.undo")}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function What({ change: { number, what, undoes, fields, isUndone } }: { readonly change: Change }) {
  const { t } = useTranslation();
  const said = fields.filter((name) => !unsaid.has(name)).map((name) => t(`work.field.${name}`));
  const text =
    what === "undo"
      ? t("work.what.undo", { number, undone: undoes ?? 0 })
      : what === "changed"
        ? t("work.what.changed", { number, fields: said.join(", ") })
        : t(`work.what.${what}`, { number });
  return <span>{isUndone ? <s>{text}</s> : text}</span>;
}
