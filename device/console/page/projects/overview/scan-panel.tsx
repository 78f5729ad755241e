import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { Said } from "../../app/said.tsx";
import { dateText } from "../../app/shown-text.ts";
import { Button } from "../../form/button.tsx";
import { lastOf } from "../../form/last-of.ts";
import { Problem } from "../../form/problem.tsx";
import { useChange } from "../../scouts/queries.ts";
import { useScanText } from "../folder-chip.tsx";
import type { Project } from "../queries.ts";

/** The scan that runs, how far it is, and what ends it; else when the folder was read, what kept it, and what reads it again. */
export function ScanPanel({ project }: { readonly project: Project }) {
  const { t, i18n } = useTranslation();
  const { id, name, state, scan, trouble, lastScannedAt } = project;
  const read = useChange([t("folder.scan"), name], () => answerOf(api.projects[":id"].scan.$post({ param: { id } })));
  const cancel = useChange([t("projects.cancel"), name], () =>
    answerOf(api.projects[":id"].scan.$delete({ param: { id } })),
  );
  const isElsewhere = scan === null && state === "scanning";
  return (
    <div className="scan-panel">
      {scan === null ? (
        <p className="hint">
          {isElsewhere
            ? t("projects.readElsewhere")
            : lastScannedAt === null
              ? t("projects.neverRead")
              : t("projects.lastRead", { at: dateText(lastScannedAt, i18n.language) })}
        </p>
      ) : (
        <ScanProgress scan={scan} />
      )}
      {trouble !== null && state === "error" && (
        <p className="trouble">
          <Said what={trouble} />
        </p>
      )}
      <div className="buttons">
        {scan === null ? (
          <Button isDisabled={isElsewhere || read.isPending} onPress={() => read.mutate(undefined)}>
            {t("folder.scan")}
          </Button>
        ) : (
          <Button className="reject" isDisabled={cancel.isPending} onPress={() => cancel.mutate(undefined)}>
            {t("projects.cancel")}
          </Button>
        )}
      </div>
      <Problem error={lastOf(read, cancel).error} />
    </div>
  );
}

function ScanProgress({ scan }: { readonly scan: NonNullable<Project["scan"]> }) {
  const { t } = useTranslation();
  const text = useScanText()(scan);
  const known = scan.phase !== "wait" && scan.total !== undefined ? { value: scan.done, max: scan.total } : {};
  return (
    <>
      <p>{text}</p>
      <progress aria-label={t("projects.scanning")} {...known} />
      {scan.phase === "summarize" && <p className="hint">{t("projects.tokens", { count: scan.tokens })}</p>}
    </>
  );
}
