import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Said } from "../app/said.tsx";
import { line } from "../app/shown-text.ts";
import { SeesText } from "../scouts/looks/sees-text.tsx";
import type { Connecting } from "../scouts/queries.ts";

interface DoneStepProps {
  readonly connected: Extract<Connecting, { status: "done" }>["connected"];
  readonly onMore: () => void;
}

/** It is there, and this is what it sees. */
export function DoneStep({ connected, onMore }: DoneStepProps) {
  const { t } = useTranslation();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="form">
      <h2 ref={title} tabIndex={-1}>
        {t("add.done", { name: line(connected.name) })}
      </h2>
      {connected.error !== null && (
        <p>
          <Said what={connected.error} />
        </p>
      )}
      {connected.sees !== null && (
        <div>
          {t("add.sees")}
          <SeesText sees={connected.sees} />
        </div>
      )}
      <p className="hint">{t("add.doneHint")}</p>
      <div className="buttons">
        <Link to="/scouts/$id" params={{ id: connected.id }} className="link-button primary">
          {t("add.show")}
        </Link>
        <Link to="/inbox" className="link-button">
          {t("nav.inbox")}
        </Link>
        <Button onPress={onMore}>{t("add.another")}</Button>
      </div>
    </div>
  );
}
