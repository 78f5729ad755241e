import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { ToldBroken } from "../../brief/use-cases.ts";
import { answerOf, api } from "../app/api.ts";
import { Said } from "../app/said.tsx";
import { agoText, line } from "../app/shown-text.ts";
import { useThisMinute } from "../states/this-minute.ts";

/** Where all is well it is not loaded. */
const FoundTrouble = lazy(async () => ({ default: (await import("./found-trouble.tsx")).FoundTrouble }));

/** What is broken first, why, and what mends it, in one line; nothing where all is well, and that it is not known where it is not. */
export function Broken() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ["broken"],
    queryFn: () => answerOf(api.brief.broken.$get()),
  });
  const [first, ...others] = data?.broken ?? [];
  return (
    <div role="status">
      {error !== null && (
        <p className="trouble">
          {t("brief.notLooked")} <Said what={error} />{" "}
          <Button onPress={() => void refetch()}>{t("state.retry")}</Button>
        </p>
      )}
      {first !== undefined && (
        <p className="trouble">
          <Cause broken={first} />
          <Cure broken={first} />
          {others.length > 0 && (
            <>
              {" "}
              <Link to="/scouts">{t("brief.moreBroken", { count: others.length })}</Link>
            </>
          )}
        </p>
      )}
    </div>
  );
}

function Cause({ broken }: { readonly broken: ToldBroken }) {
  const { t, i18n } = useTranslation();
  const nowMs = useThisMinute(Date.now);
  const { what, name, count, since, why, finding } = broken;
  if (finding !== null)
    return (
      <Suspense>
        <FoundTrouble finding={finding} atMs={nowMs} />
      </Suspense>
    );
  if (what === "mail") return null;
  return (
    <>
      {name !== "" && (
        <>
          <bdi>{line(name)}</bdi>:{" "}
        </>
      )}
      {t(`brief.broken.${what}`, { count })}
      {since !== null && ` (${agoText(since, nowMs, i18n.language)})`} {why !== null && <Said what={why} />}{" "}
    </>
  );
}

/** Where it is mended. */
function Cure({ broken }: { readonly broken: ToldBroken }) {
  const { t } = useTranslation();
  const { what, id, why } = broken;
  // Of one that the home does not know there is no page; the doctor names both ways out.
  const hasPage = id !== null && why?.code !== "scout_not_found";
  if ((what === "off" || what === "failing") && hasPage) {
    return (
      <Link to="/scouts/$id" params={{ id }}>
        {t(what === "off" ? "brief.cure.reconnect" : "brief.cure.look")}
      </Link>
    );
  }
  if (what === "folder" && id !== null) {
    return (
      <Link to="/scouts/folders/$id" params={{ id }}>
        {t("brief.cure.folder")}
      </Link>
    );
  }
  return <Link to="/settings">{t("brief.cure.doctor")}</Link>;
}
