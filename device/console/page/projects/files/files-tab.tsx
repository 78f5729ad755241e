import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import "../../inbox/inbox.css";
import "../../inbox/card.css";
import "./files.css";
import { Choice } from "../../app/choice.tsx";
import { OnOff } from "../../form/on-off.tsx";
import { SearchBox } from "../../inbox/search-box.tsx";
import { fileFilters } from "../../routes/addresses.ts";
import { useGo } from "../../routes/go.ts";
import { Missing } from "../../states/missing.tsx";
import { Empty, Failed, Loading } from "../../states/states.tsx";
import { GiveFolder } from "../overview/give-folder.tsx";
import { useProject } from "../queries.ts";
import { DiskNotice } from "./disk-notice.tsx";
import { FileRows } from "./file-rows.tsx";
import { type Shown, useDisk, useFileRows } from "./file-rows-query.ts";
import { openFolders, wordsOf } from "./shown-files.ts";

const route = getRouteApi("/projects/$id/files");
/** As the device takes them (device/console/projects/contract.ts). */
const longestWords = 200;

/** Every file that is known of a project's folder. */
export function FilesTab() {
  const { id } = route.useParams();
  const { data } = useProject(id);
  if (data === undefined) return <Loading />;
  return data.project.folderPath === null ? <GiveFolder id={id} /> : <Files id={id} />;
}

function Files({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const { show: asked = "all", view } = route.useSearch();
  const lead = useGo();
  const words = wordsOf(id);
  const typed = words.use();
  const [open, setOpen] = useState(() => openFolders.of(id));
  const show = fileFilters.find((each) => each === asked) ?? "all";
  const isTree = view === "tree";
  const shown: Shown = { id, show, words: typed, open: isTree ? open : undefined };
  const go = (change: { readonly show?: string; readonly view?: string }) => {
    const search = { show, ...(isTree && { view: "tree" }), ...change };
    void lead({
      to: "/projects/$id/files",
      params: { id },
      search: { ...(search.show !== "all" && { show: search.show }), ...(search.view === "tree" && { view: "tree" }) },
      replace: true,
    });
  };
  const toggle = (folder: string) => {
    const next = open.includes(folder) ? open.filter((each) => each !== folder) : [...open, folder];
    openFolders.keep(id, next);
    setOpen(next);
  };
  return (
    <div className="files">
      <div className="filters">
        <SearchBox words={words} hint={t("projects.find")} longest={longestWords} />
        <Choice
          label={t("projects.filter")}
          value={show}
          options={fileFilters.map((each) => [each, t(`projects.show.${each}`)] as const)}
          onChange={(value) => go({ show: value })}
        />
        <OnOff label={t("projects.tree")} isOn={isTree} onChange={(isOn) => go({ view: isOn ? "tree" : "list" })} />
      </div>
      <Disk id={id} />
      <Rows key={JSON.stringify([show, typed, isTree])} shown={shown} onFolder={toggle} />
    </div>
  );
}

/** What is known of the disk is told above the list, and each row is asked anew when it is another than it was. */
function Disk({ id }: { readonly id: string }) {
  const client = useQueryClient();
  const asked = useDisk(id);
  const { data } = asked;
  const found = data === undefined ? "" : `${data.stale} ${data.gone}`;
  const [before, setBefore] = useState(found);
  useEffect(() => {
    if (found === before || found === "") return;
    setBefore(found);
    if (before !== "" || found !== "0 0") void client.invalidateQueries({ queryKey: ["files", id, "rows"] });
  }, [found, before, client, id]);
  return (
    <>
      <Missing of={[asked]} />
      {data !== undefined && <DiskNotice id={id} disk={data} />}
    </>
  );
}

function Rows({ shown, onFolder }: { readonly shown: Shown; readonly onFolder: (folder: string) => void }) {
  const { t } = useTranslation();
  const [pages, setPages] = useState<readonly number[]>([0]);
  const { list, error, older, retry } = useFileRows(shown, pages);
  const failure = error === null ? null : <Failed error={error} onRetry={retry} />;
  if (list === undefined) return failure ?? <Loading />;
  if (list.total === 0) {
    const isNarrowed = shown.words !== "" || shown.show !== "all";
    return isNarrowed ? (
      <Empty title={t("projects.noneFound")} hint={t("projects.noneFoundHint")} />
    ) : (
      <Empty title={t("projects.noFiles")} hint={t("projects.noFilesHint")} />
    );
  }
  return (
    <>
      {failure}
      <Missing of={older} />
      <FileRows list={list} shown={shown} onPages={setPages} onFolder={onFolder} />
    </>
  );
}
