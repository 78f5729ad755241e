import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "../scouts/scouts.css";
import { ApiError, answerOf, api } from "../app/api.ts";
import { Said } from "../app/said.tsx";
import { line } from "../app/shown-text.ts";
import { Confirm } from "../form/confirm.tsx";
import { Problem } from "../form/problem.tsx";
import { type Folder, useChange, useFolder } from "../scouts/queries.ts";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { LocalScoutConfigPanel } from "./local-scout-config-panel.tsx";
import { ScansPanel } from "./scans-panel.tsx";

const route = getRouteApi("/scouts/folders/$id");

/** One folder of this device, and the scout that reads it. */
export function FolderPage() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const folder = useFolder(id);
  const isGone = folder.error instanceof ApiError && [400, 404].includes(folder.error.status);
  return (
    <section className="page">
      <p>
        <Link to="/scouts">{t("scout.back")}</Link>
      </p>
      {folder.isPending && <Loading />}
      {isGone && <Empty title={t("folder.gone")} hint={t("folder.goneHint")} />}
      {folder.isError && !isGone && <Failed error={folder.error} onRetry={() => void folder.refetch()} />}
      {folder.data !== undefined && !isGone && <Found folder={folder.data.folder} />}
    </section>
  );
}

function Found({ folder }: { readonly folder: Folder }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id, name, folderPath, status, isEnabled, trouble, totalFiles } = folder;
  const state = isEnabled ? status : "paused";
  const scan = useChange(() => answerOf(api.folders[":id"].scan.$post({ param: { id } })));
  const unlink = useChange(
    () => answerOf(api.folders[":id"].$delete({ param: { id } })),
    () => void navigate({ to: "/scouts" }),
  );
  return (
    <>
      <div>
        <h1 dir="auto">{line(name) || id}</h1>
        <p className="about">
          <span className={`state-word state-${state}`}>{t(`folderState.${state}`)}</span>
          <bdi>{line(folderPath)}</bdi>
          <span>{t("folder.files", { count: totalFiles })}</span>
        </p>
      </div>
      {trouble !== null && (
        <p className="trouble">
          <Said what={trouble} />
        </p>
      )}
      <div className="buttons">
        <Button isDisabled={scan.isPending} onPress={() => scan.mutate(undefined)}>
          {t("folder.scan")}
        </Button>
        <Confirm
          button={t("folder.unlink")}
          title={t("folder.unlinkTitle", { name: line(name) })}
          hint={t("folder.unlinkHint")}
          onConfirm={() => unlink.mutate(undefined)}
        />
      </div>
      <p role="status">{scan.isSuccess && t("scout.running")}</p>
      <Problem error={scan.error ?? unlink.error} />
      <div className="panels">
        <LocalScoutConfigPanel folder={folder} />
        <ScansPanel id={id} />
      </div>
    </>
  );
}
