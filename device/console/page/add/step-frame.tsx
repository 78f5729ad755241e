import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

const steps = ["source", "settings", "purpose", "done"] as const;
export type Step = (typeof steps)[number];

interface FrameProps {
  readonly step: Step;
  /** Whether a step was shown already: whoever goes on by keyboard goes on from the next one. */
  readonly isBegun: RefObject<boolean>;
  readonly children: ReactNode;
}

/** What stands around each step: which there are, and where one is. */
export function StepFrame({ step, isBegun, children }: FrameProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isBegun.current && step !== "done") place.current?.focus();
    isBegun.current = true;
  }, [step, isBegun]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a form's steps is no fieldset of one form.
    <div className="page stepper" role="group" aria-label={t("scout.add")} ref={place} tabIndex={-1}>
      <ol className="steps">
        {steps.map((each) => (
          <li key={each} aria-current={each === step ? "step" : undefined}>
            {t(`step.${each}`)}
          </li>
        ))}
      </ol>
      {children}
    </div>
  );
}
