import { useTranslation } from "react-i18next";
import { sizeText } from "../app/shown-text.ts";
import { Pairs } from "../form/pairs.tsx";
import { Failed } from "../states/states.tsx";
import { shareText, tokensText } from "./numbers.ts";
import { useArtifacts } from "./queries.ts";

/** Results of tools that were stored instead of shown to a model, and what that has saved; this device's own numbers. */
export function ArtifactPanel() {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { data, error, refetch } = useArtifacts();
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const { stored, usage } = data;
  const number = (value: number) => tokensText(value, language);
  const checks = usage.cacheHits + usage.cacheMisses;
  return (
    <section className="panel" aria-labelledby="artifacts">
      <h2 id="artifacts">{t("usage.artifacts")}</h2>
      <p className="hint">{t("usage.artifactsHint")}</p>
      <Pairs
        pairs={[
          [
            t("usage.stored"),
            t("usage.storedSize", { count: stored.artifacts, size: sizeText(stored.bytes, language) }),
          ],
          [t("usage.inUse"), number(stored.pinned)],
          [t("usage.before"), number(usage.contextTokensBefore)],
          [t("usage.after"), number(usage.contextTokensAfter)],
          [t("usage.reads"), number(usage.reads + usage.searches + usage.queries + usage.references)],
          [
            t("usage.cache"),
            checks === 0
              ? "–"
              : t("usage.cacheShare", { share: shareText(usage.cacheHits / checks, language), checks: number(checks) }),
          ],
          [t("usage.broken"), number(usage.missing + usage.corrupt)],
          [
            t("usage.cleaned"),
            t("usage.storedSize", { count: usage.cleanedArtifacts, size: sizeText(usage.cleanedBytes, language) }),
          ],
        ]}
      />
    </section>
  );
}
