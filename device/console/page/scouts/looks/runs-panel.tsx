import { useTranslation } from "react-i18next";
import { dateText } from "../../app/shown-text.ts";
import { Failed, Loading } from "../../states/states.tsx";
import { useRuns } from "../queries.ts";
import { FoundText } from "./found-text.tsx";

/** When a scout looked at its source, and what it found. */
export function RunsPanel({ id }: { readonly id: string }) {
  const { t, i18n } = useTranslation();
  const runs = useRuns(id);
  if (runs.isPending) return <Loading />;
  if (runs.isError) return <Failed error={runs.error} onRetry={() => void runs.refetch()} />;
  return (
    <section className="panel" aria-labelledby="runs">
      <h2 id="runs">{t("runs.title")}</h2>
      {runs.data.runs.length === 0 && <p className="hint">{t("runs.empty")}</p>}
      <ul className="runs">
        {runs.data.runs.map((run) => (
          <li key={run.id}>
            <time dateTime={new Date(run.at).toISOString()}>{dateText(run.at, i18n.language)}</time>
            <FoundText run={run} />
          </li>
        ))}
      </ul>
    </section>
  );
}
