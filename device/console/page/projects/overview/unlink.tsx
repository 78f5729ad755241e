import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { line } from "../../app/shown-text.ts";
import { Confirm } from "../../form/confirm.tsx";
import { Problem } from "../../form/problem.tsx";
import { useChange } from "../../scouts/queries.ts";
import type { Project } from "../queries.ts";

/** Forgets a project's folder, when one has been told what goes and what stays. */
export function Unlink({ project: { id, name, folderPath, totalFiles } }: { readonly project: Project }) {
  const { t } = useTranslation();
  const unlink = useChange([t("folder.unlink"), name], () => answerOf(api.folders[":id"].$delete({ param: { id } })));
  return (
    <div className="buttons">
      <Confirm
        button={t("folder.unlink")}
        title={t("folder.unlinkTitle", { name: line(name) })}
        hint={
          <>
            <p>{t("projects.unlinkGoes", { count: totalFiles })}</p>
            <p>{t("projects.unlinkStays")}</p>
            <p className="hint">
              <bdi>{line(folderPath ?? "")}</bdi>
            </p>
          </>
        }
        onConfirm={() => unlink.mutate(undefined)}
      />
      <Problem error={unlink.error} />
    </div>
  );
}
