import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Confirm } from "../form/confirm.tsx";
import { lastOf } from "../form/last-of.ts";
import { Problem } from "../form/problem.tsx";
import { useGo } from "../routes/go.ts";
import { type Scout, useChange } from "./queries.ts";
import { Reconnect } from "./reconnect.tsx";

/** What can be done with a scout as it is. */
export function ScoutActions({ scout }: { readonly scout: Scout }) {
  const { t } = useTranslation();
  const go = useGo();
  const [isReconnecting, setReconnecting] = useState(false);
  const { id, name, paused, disabledCode, connected } = scout;
  const pause = useChange([t(paused ? "scout.resume" : "scout.pause"), name], (isPaused: boolean) =>
    answerOf(api.scouts[":id"].paused.$put({ param: { id }, json: { paused: isPaused } })),
  );
  const run = useChange([t("scout.run"), name], () => answerOf(api.scouts[":id"].run.$post({ param: { id } })));
  const remove = useChange(
    [t("scout.remove"), name],
    () => answerOf(api.scouts[":id"].$delete({ param: { id } })),
    () => void go({ to: "/scouts" }),
  );
  const last = lastOf(pause, run, remove);
  const isIdle = paused || disabledCode !== null || !connected;
  return (
    <>
      <div className="buttons">
        <Button isDisabled={pause.isPending} onPress={() => pause.mutate(!paused)}>
          {paused ? t("scout.resume") : t("scout.pause")}
        </Button>
        <Button isDisabled={isIdle || run.isPending} onPress={() => run.mutate(undefined)}>
          {t("scout.run")}
        </Button>
        <Button aria-expanded={isReconnecting} onPress={() => setReconnecting(!isReconnecting)}>
          {t("scout.reconnect")}
        </Button>
        <Confirm
          button={t("scout.remove")}
          title={t("scout.removeTitle", { name: line(name) })}
          hint={t("scout.removeHint")}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
        />
      </div>
      <p role="status">{last === run && run.isSuccess && t("scout.running")}</p>
      <Problem error={last.error} />
      {isReconnecting && <Reconnect scout={scout} onDone={() => setReconnecting(false)} />}
    </>
  );
}
