import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Undo } from "../decide/undo.tsx";
import { Bar } from "../routes/bar.tsx";
import { keepFocus } from "../states/lost-focus.ts";
import { SignedOut } from "../states/states.tsx";
import { WithCode } from "../states/with-code.tsx";
import { useIsDeedLate, useIsLate } from "./late.ts";
import { useDevice } from "./use-device.ts";

/** What stands around every page: where one can go, and how the device is. */
export function Shell() {
  const { t } = useTranslation();
  const { stream, online, isReading } = useDevice();
  const isLate = useIsLate();
  const isDeedLate = useIsDeedLate();
  useEffect(keepFocus, []);
  return (
    <div className="shell">
      <Bar />
      <div role="status" className="notices">
        {stream === "away" && (
          <p className="notice away">
            <WithCode text={t("device.away")} />
          </p>
        )}
        {stream === "listening" && online === false && <p className="notice">{t("device.offline")}</p>}
        {stream === "listening" && isReading && <p className="notice">{t("device.reading")}</p>}
        {stream === "listening" && isLate && <p className="notice late-part">{t("state.latePart")}</p>}
        {stream === "listening" && isDeedLate && <p className="notice">{t("state.lateDeed")}</p>}
      </div>
      <BeginsAtTop />
      <main>{stream === "refused" ? <SignedOut /> : <Outlet />}</main>
      <Undo />
    </div>
  );
}

/** Stands before the page: a list that one comes back to finds its place after that. */
function BeginsAtTop() {
  const place = useRef<HTMLSpanElement>(null);
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another page
  useLayoutEffect(() => {
    const shell = place.current?.parentElement;
    for (const each of [shell, shell?.querySelector("main")]) each?.scrollTo(0, 0);
  }, [path]);
  return <span ref={place} hidden />;
}
