import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Said } from "../app/said.tsx";
import type { Asking } from "./asking.ts";
import { Exchange } from "./exchange.tsx";

interface RunningProps {
  readonly asking: Asking;
  /** Writes the question into the editor again. */
  readonly onAgain: () => void;
}

/** A question while it is answered, and how that ended when it did not end well. */
export function Running({ asking, onAgain }: RunningProps) {
  const { t } = useTranslation();
  const { question, text, steps, isLost, pace, state, end, error } = asking;
  const isAsked = state === "asked";
  return (
    <section aria-busy={isAsked}>
      <Exchange question={question.text} answer={text} steps={steps} end={end} />
      <div role="status" className="ask-state">
        {isAsked && text === "" && <p>{t(steps.length === 0 ? "ask.waiting" : "ask.looking")}</p>}
        {isAsked && isLost && <p className="notice">{t("ask.lost")}</p>}
        {isAsked && pace !== "well" && <p className="notice">{t(`ask.pace.${pace}`)}</p>}
        {state === "answered" && <p>{t("ask.answered")}</p>}
        {state === "cancelled" && <p>{t("ask.cancelled")}</p>}
      </div>
      {state === "failed" && (
        <p className="problem" role="alert">
          {end !== null && <>{t(`ask.ended.${end.status}`)} </>}
          {end?.why && <Said what={end.why} />}
          {error !== null && <Said what={error} />}
        </p>
      )}
      {(state === "failed" || state === "cancelled") && <Button onPress={onAgain}>{t("ask.again")}</Button>}
    </section>
  );
}
