import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Said } from "../../app/said.tsx";
import { Pairs } from "../../form/pairs.tsx";
import type { Overview } from "../queries.ts";

/** Kinds in their order, and what of the list of files shows them. */
const kinds = [
  ["text", "text"],
  ["image", "image"],
  ["pdf", "pdf"],
  ["docx", "office"],
  ["skipped", "skipped"],
  ["error", "failed"],
] as const;
const states = ["current", "stale", "pending", "waiting", "failed", "skipped"] as const;

function KindLink({ id, show, text }: { readonly id: string; readonly show: string; readonly text: string }) {
  return (
    <Link to="/projects/$id/files" params={{ id }} search={{ show }}>
      {text}
    </Link>
  );
}

/** What a folder holds, by kind, by how it stands, and what was left out. */
export function Counts({ id, overview }: { readonly id: string; readonly overview: Overview }) {
  const { t, i18n } = useTranslation();
  const { byKind, byState, leftOut } = overview;
  const figure = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  const kindPairs = kinds.flatMap(([kind, show]) => {
    const count = byKind[kind] ?? 0;
    return count === 0
      ? []
      : [[t(`projects.show.${show}`), <KindLink key={show} id={id} show={show} text={figure(count)} />] as const];
  });
  const statePairs = states.flatMap((state) => {
    const count = byState[state] ?? 0;
    return count === 0 ? [] : [[t(`projects.fileState.${state}`), figure(count)] as const];
  });
  return (
    <>
      <section className="panel" aria-labelledby="by-kind">
        <h2 id="by-kind">{t("projects.byKind")}</h2>
        {kindPairs.length === 0 ? <p className="hint">{t("projects.noFiles")}</p> : <Pairs pairs={kindPairs} />}
      </section>
      {statePairs.length > 0 && (
        <section className="panel" aria-labelledby="by-state">
          <h2 id="by-state">{t("projects.byState")}</h2>
          <Pairs pairs={statePairs} />
        </section>
      )}
      {leftOut.length > 0 && (
        <section className="panel" aria-labelledby="left-out">
          <h2 id="left-out">{t("projects.leftOut")}</h2>
          <ul className="plain">
            {leftOut.map(({ why, count }) => (
              <li key={why.code}>
                {figure(count)} <Said what={why} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
