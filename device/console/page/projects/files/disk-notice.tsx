import type { InferResponseType } from "hono/client";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { Button } from "../../form/button.tsx";
import { Problem } from "../../form/problem.tsx";
import { useChange } from "../../scouts/queries.ts";
import { useProject } from "../queries.ts";

type Disk = InferResponseType<(typeof api.projects)[":id"]["disk"]["$post"]>;

/** What has become of a folder since it was read; nothing where it is as it was. */
export function DiskNotice({ id, disk }: { readonly id: string; readonly disk: Disk }) {
  const { t } = useTranslation();
  const { data } = useProject(id);
  const read = useChange([t("folder.scan"), data?.project.name ?? ""], () =>
    answerOf(api.projects[":id"].scan.$post({ param: { id } })),
  );
  const isRead = data?.project.state === "scanning" || data?.project.scan !== null;
  if (!disk.isReachable) return <p className="notice">{t("projects.away")}</p>;
  if (!disk.wantsScan || isRead) return null;
  return (
    <div className="notice disk-notice">
      <p>
        {disk.stale + disk.gone === 0
          ? t("projects.changedNew")
          : t("projects.changed", { count: disk.stale + disk.gone })}
      </p>
      <Button isDisabled={read.isPending} onPress={() => read.mutate(undefined)}>
        {t("folder.scan")}
      </Button>
      <Problem error={read.error} />
    </div>
  );
}
