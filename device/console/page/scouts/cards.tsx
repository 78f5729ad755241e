import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ToldTrouble } from "../../told.ts";
import { Said } from "../app/said.tsx";
import { dateText, line } from "../app/shown-text.ts";
import { FileCount } from "../folders/file-count.tsx";
import type { Folder, Scout } from "./queries.ts";
import { SourceName } from "./source-name.tsx";
import { TroubleNote } from "./trouble.tsx";

/** A scout in the list: what it is called and up to, and what keeps it. */
export function ScoutCard({ scout, trouble }: { readonly scout: Scout; readonly trouble: ToldTrouble | undefined }) {
  const { t, i18n } = useTranslation();
  const { id, name, sourceType, lastRunAt, state } = scout;
  return (
    <article className="scout-card">
      <h2>
        <Link to="/scouts/$id" params={{ id }} dir="auto">
          {line(name) || id}
        </Link>
      </h2>
      <p className="about">
        <span className={`state-word state-${state}`}>{t(`scoutState.${state}`)}</span>
        <SourceName source={sourceType} />
        <span>
          {lastRunAt === null ? t("scout.neverRan") : t("scout.lastRan", { at: dateText(lastRunAt, i18n.language) })}
        </span>
      </p>
      {trouble !== undefined && <TroubleNote trouble={trouble} />}
    </article>
  );
}

/** A folder in the list, which a scout on this device reads. */
export function FolderCard({ folder }: { readonly folder: Folder }) {
  const { t, i18n } = useTranslation();
  const { id, name, folderPath, status, isEnabled, lastScannedAt, trouble } = folder;
  const state = isEnabled ? status : "paused";
  return (
    <article className="scout-card">
      <h2>
        <Link to="/projects/$id" params={{ id }} dir="auto">
          {line(name) || id}
        </Link>
      </h2>
      <p className="about">
        <span className={`state-word state-${state}`}>{t(`folderState.${state}`)}</span>
        <bdi>{line(folderPath)}</bdi>
        <FileCount of={folder} />
        <span>
          {lastScannedAt === null
            ? t("scout.neverRan")
            : t("scout.lastRan", { at: dateText(lastScannedAt, i18n.language) })}
        </span>
      </p>
      {trouble !== null && (
        <p className="trouble">
          <Said what={trouble} />
        </p>
      )}
    </article>
  );
}
