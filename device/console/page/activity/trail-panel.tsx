import { useTranslation } from "react-i18next";
import { Choice } from "../app/choice.tsx";
import { line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { callerText, toolText } from "./call-text.ts";
import { saveTrail, type TrailFilter, useDoing, useTrail, useTrails, verifyTrail } from "./queries.ts";
import { TrailList } from "./trail-list.tsx";

const all = "";

interface TrailProps {
  readonly filter: TrailFilter;
  readonly onFilter: (filter: TrailFilter) => void;
}

/** The trail of every call: looked through, proven, taken along. */
export function TrailPanel({ filter, onFilter }: TrailProps) {
  const { t } = useTranslation();
  const about = useTrails();
  const trail = useTrail(filter);
  if (about.error !== null) return <Failed error={about.error} onRetry={() => void about.refetch()} />;
  if (about.data === undefined) return <Loading />;
  const { trails, callers, tools } = about.data;
  const none = <Empty title={t("activity.noTrail")} hint={t("activity.noTrailHint")} />;
  if (trails.length === 0) return none;
  const nameOf = (name: string | null) => (name === null ? t("activity.device") : line(name));
  const narrow = (key: keyof TrailFilter) => (value: string) => {
    const { [key]: _, ...rest } = filter;
    onFilter(value === all ? rest : { ...rest, [key]: value });
  };
  const named = (names: readonly string[], textOf: (name: string) => string) => [
    [all, t("filter.all")] as const,
    ...names.map((name) => [name, textOf(name)] as const),
  ];
  const isNarrowed = Object.values(filter).some((each) => each !== undefined);
  const records = trail.data?.pages.flatMap((page) => page.records) ?? [];
  return (
    <div className="page">
      <div className="buttons">
        <Choice
          label={t("activity.trail")}
          value={filter.trail ?? all}
          options={[[all, t("filter.all")], ...trails.map(({ id, name }) => [id, nameOf(name)] as const)]}
          onChange={narrow("trail")}
        />
        <Choice
          label={t("activity.caller")}
          value={filter.caller ?? all}
          options={named(callers, (caller) => callerText(caller, t))}
          onChange={narrow("caller")}
        />
        <Choice
          label={t("activity.tool")}
          value={filter.tool ?? all}
          options={named(tools, (tool) => toolText(tool, t))}
          onChange={narrow("tool")}
        />
        {filter.session !== undefined && (
          <Button onPress={() => narrow("session")(all)}>{t("activity.allSessions")}</Button>
        )}
      </div>
      <Proofs trails={trails.filter(({ id }) => filter.trail === undefined || id === filter.trail)} nameOf={nameOf} />
      {trail.error !== null && (
        <Failed
          error={trail.error}
          onRetry={() => void (trail.isFetchNextPageError ? trail.fetchNextPage() : trail.refetch())}
        />
      )}
      {trail.error === null && trail.data === undefined && <Loading />}
      {trail.data !== undefined &&
        records.length === 0 &&
        (isNarrowed ? <Empty title={t("inbox.nothingFound")} hint={t("inbox.nothingFoundHint")} /> : none)}
      {records.length > 0 && (
        <TrailList
          records={records}
          nameOf={(id) => nameOf(trails.find((each) => each.id === id)?.name ?? null)}
          // What has failed is asked for when its person says so, and not without end.
          onEnd={
            trail.hasNextPage && !trail.isFetching && !trail.isError ? () => void trail.fetchNextPage() : undefined
          }
        />
      )}
    </div>
  );
}

interface ProofsProps {
  readonly trails: readonly { readonly id: string; readonly name: string | null }[];
  readonly nameOf: (name: string | null) => string;
}

/** Whether trails are whole, and each as a file. */
function Proofs({ trails, nameOf }: ProofsProps) {
  const { t } = useTranslation();
  const verify = useDoing([t("activity.verify")], async () => {
    const proven = [];
    for (const { id, name } of trails) proven.push({ name, verdict: await verifyTrail(id) });
    return proven;
  });
  const save = useDoing([t("activity.view.trail")], saveTrail);
  return (
    <>
      <div className="buttons">
        <Button isDisabled={verify.isPending} onPress={() => verify.mutate(undefined)}>
          {t(verify.isPending ? "activity.verifying" : "activity.verify")}
        </Button>
        {trails.map(({ id, name }) => (
          <Button key={id} isDisabled={save.isPending} onPress={() => save.mutate(id)}>
            {t("activity.export", { name: nameOf(name) })}
          </Button>
        ))}
      </div>
      <div role="status">
        {verify.data?.map(({ name, verdict }) => (
          <p key={nameOf(name)} className={verdict.ok ? undefined : "problem"}>
            {verdict.ok
              ? t("activity.whole", { name: nameOf(name), count: verdict.records })
              : t(`activity.damaged.${verdict.reason.replace(" ", "_")}`, { name: nameOf(name), seq: verdict.seq })}
          </p>
        ))}
        <Problem error={verify.error ?? save.error} />
      </div>
    </>
  );
}
