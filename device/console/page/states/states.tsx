import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ApiError } from "../app/api.ts";
import { awayPart, Said } from "../app/said.tsx";
import { patienceMs } from "../app/tab.ts";
import { onUnsent, unsentNow } from "../form/typed-texts.ts";
import { WithCode } from "./with-code.tsx";

/** Says that something is on its way, and after a while that this takes long; a screen reader is told too. */
export function Loading() {
  const { t } = useTranslation();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className={isLate ? "state late" : "state"} role="status">
      {t(isLate ? "state.late" : "state.loading")}
    </p>
  );
}

/** Says that there is nothing here, and what a person can do about it. */
export function Empty({ title, hint }: { readonly title: string; readonly hint: ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      <p>{typeof hint === "string" ? <WithCode text={hint} /> : hint}</p>
    </div>
  );
}

/** Asked once more, what is not there is not there. */
const isLasting = (error: Error): boolean => error instanceof ApiError && error.status === 404;

/** What went wrong and what helps. */
export function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="state" role="alert">
      <h2>{t("state.failed")}</h2>
      <p className={awayPart(error)}>
        <Said what={error} />
      </p>
      {onRetry && !isLasting(error) && <Button onPress={onRetry}>{t("state.retry")}</Button>}
    </div>
  );
}

/** The tab has no token, or one that is good no more. What was typed in it has its last place here. */
export function SignedOut() {
  const { t } = useTranslation();
  const unsent = useSyncExternalStore(onUnsent, unsentNow);
  return (
    <div className="state">
      <h1>{t("signedOut.title")}</h1>
      <p>{t("signedOut.hint")}</p>
      <pre>scouts console</pre>
      {unsent.length > 0 && (
        <label>
          {t("signedOut.unsent")}
          <textarea className="unsent" readOnly dir="auto" rows={8} value={unsent.join("\n\n")} />
        </label>
      )}
    </div>
  );
}
