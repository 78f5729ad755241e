import { Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "./scouts.css";
import { TextBox } from "../form/text-box.tsx";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { useFolders, useScoutList } from "./queries.ts";
import { ScoutRows } from "./scout-rows.tsx";
import { isNamed } from "./state.ts";

/** More than can be seen at a glance: a box to find one by name. */
const manyScouts = 8;

/** Every source that is watched: scouts of the home, and folders of this device. */
export function ScoutsPage() {
  const { t } = useTranslation();
  const scouts = useScoutList();
  const folders = useFolders();
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed);
  const all = scouts.data?.scouts ?? [];
  const shown = all.filter((scout) => isNamed(scout, text));
  const shownFolders = (folders.data?.folders ?? []).filter((folder) => isNamed(folder, text));
  const isEmpty = scouts.isSuccess && folders.isSuccess && all.length + folders.data.folders.length === 0;
  return (
    <section className="scouts">
      <div className="head">
        <h1>{t("nav.scouts")}</h1>
        {all.length > manyScouts && <TextBox label={t("scout.find")} value={typed} onChange={setTyped} />}
        <Link to="/scouts/add" className="link-button primary">
          {t("scout.add")}
        </Link>
      </div>
      {(scouts.isPending || folders.isPending) && <Loading />}
      {scouts.isError && <Failed error={scouts.error} onRetry={() => void scouts.refetch()} />}
      {folders.isError && <Failed error={folders.error} onRetry={() => void folders.refetch()} />}
      {isEmpty && <Empty title={t("scout.empty")} hint={t("scout.emptyHint")} />}
      {!isEmpty && scouts.isSuccess && shown.length + shownFolders.length === 0 && (
        <Empty title={t("scout.noneFound")} hint={t("scout.noneFoundHint")} />
      )}
      {shown.length + shownFolders.length > 0 && (
        <ScoutRows scouts={shown} folders={shownFolders} troubles={scouts.data?.troubles ?? []} />
      )}
    </section>
  );
}
