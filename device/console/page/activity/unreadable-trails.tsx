import { useTranslation } from "react-i18next";
import { Said } from "../app/said.tsx";
import { line } from "../app/shown-text.ts";
import { useTrails } from "./queries.ts";

/** Which trails are missing in what is shown, and why. */
export function UnreadableTrails() {
  const { t } = useTranslation();
  const { data } = useTrails();
  return (
    <div role="status">
      {data?.unreadable.map(({ id, name, path, why }) => (
        <p key={id} className="problem">
          {t("activity.unreadable", { name: name === null ? t("activity.device") : line(name), path: line(path) })}{" "}
          <Said what={why} />
        </p>
      ))}
    </div>
  );
}
