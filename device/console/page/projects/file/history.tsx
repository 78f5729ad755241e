import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callerText, toolText } from "../../activity/call-text.ts";
import { Choice } from "../../app/choice.tsx";
import { dateText, sizeText } from "../../app/shown-text.ts";
import { Empty, Loading } from "../../states/states.tsx";
import { DiffText } from "./diff-text.tsx";
import { type NamedFile, useDiff, useVersions, type Version } from "./queries.ts";
import { Refused } from "./refused.tsx";
import { Restore } from "./restore.tsx";

/** Stands for the file as it is. */
const now = "now";

/** What is kept of a file's past: any two states side by side, and the way back to one. */
export function History({ named }: { readonly named: NamedFile }) {
  const { t } = useTranslation();
  const [approves, setApproves] = useState(false);
  const found = useVersions(named, approves);
  if (found.isPending) return <Loading />;
  if (found.isError)
    return <Refused error={found.error} onRetry={() => void found.refetch()} onApprove={() => setApproves(true)} />;
  const { versions } = found.data;
  if (versions.length === 0) return <Empty title={t("projects.noVersions")} hint={t("projects.noVersionsHint")} />;
  return (
    <>
      <Compare named={named} versions={versions} approves={approves} />
      <section className="panel" aria-labelledby="versions">
        <h3 id="versions">{t("projects.versions")}</h3>
        <ul className="plain versions">
          {versions.map((version) => (
            <li key={version.id}>
              <VersionLine version={version} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function VersionLine({ version: { at, caller, tool, sizeBytes, isDeletion, isKept } }: { readonly version: Version }) {
  const { t, i18n } = useTranslation();
  return (
    <p className="about">
      <time dateTime={new Date(at).toISOString()}>{dateText(at, i18n.language)}</time>
      <bdi>{callerText(caller, t)}</bdi>
      <bdi>{toolText(tool, t)}</bdi>
      <span>{isDeletion ? t("projects.deletion") : sizeText(sizeBytes, i18n.language)}</span>
      {!isKept && <span>{t("projects.letGo")}</span>}
    </p>
  );
}

interface CompareProps {
  readonly named: NamedFile;
  readonly versions: readonly Version[];
  readonly approves: boolean;
}

function Compare({ named, versions, approves: mayShow }: CompareProps) {
  const { t, i18n } = useTranslation();
  const kept = versions.filter(({ isKept }) => isKept);
  const [chosen, setFrom] = useState<string>();
  const [to, setTo] = useState(now);
  const [approves, setApproves] = useState(mayShow);
  const [restored, setRestored] = useState(0);
  // Until one is chosen: what the file was before its last change.
  const from = chosen ?? kept[1]?.id ?? kept[0]?.id;
  if (from === undefined) return <p className="hint">{t("projects.noneKept")}</p>;
  const choices = kept.map(
    ({ id, at, caller }) => [id, `${dateText(at, i18n.language)} · ${callerText(caller, t)}`] as const,
  );
  const version = kept.find(({ id }) => id === from);
  return (
    <>
      <div className="filters compare">
        <Choice label={t("projects.from")} value={from} options={choices} onChange={setFrom} />
        <Choice
          label={t("projects.to")}
          value={to}
          options={[[now, t("projects.asItIs")] as const, ...choices]}
          onChange={setTo}
        />
      </div>
      <Difference
        key={`${from} ${to} ${approves} ${restored}`}
        named={named}
        compared={{ from, to: to === now ? undefined : to, approves }}
        version={version}
        onApprove={() => setApproves(true)}
        onRestored={() => {
          // One stays at the version that one has chosen; there is a newer one now.
          setFrom(from);
          setRestored(restored + 1);
        }}
      />
      <p role="status">{restored > 0 && t("projects.restored")}</p>
    </>
  );
}

interface DifferenceProps {
  readonly named: NamedFile;
  readonly compared: Parameters<typeof useDiff>[1];
  readonly version: Version | undefined;
  readonly onApprove: () => void;
  readonly onRestored: () => void;
}

function Difference({ named, compared, version, onApprove, onRestored }: DifferenceProps) {
  const { t } = useTranslation();
  const found = useDiff(named, compared);
  if (found.isPending) return <Loading />;
  if (found.isError) return <Refused error={found.error} onRetry={() => void found.refetch()} onApprove={onApprove} />;
  const { diff, isCut, currentHash } = found.data;
  return (
    <>
      {diff === "" ? <p className="hint">{t("projects.noDifference")}</p> : <DiffText diff={diff} isCut={isCut} />}
      {compared.to === undefined && version !== undefined && (
        <Restore
          named={named}
          version={version}
          currentHash={currentHash}
          isSame={diff === ""}
          onOutdated={() => void found.refetch()}
          onRestored={onRestored}
        />
      )}
    </>
  );
}
