import { useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { AskStep } from "../../ask/contract.ts";
import { knownEndText } from "../activity/end-text.ts";
import { line } from "../app/shown-text.ts";
import { PlaceButton } from "../place/place-button.tsx";
import { knownActions } from "./known-actions.ts";
import { usePlaceNames } from "./place-names.ts";

/** What was looked up for an answer, in order, with the files that were opened. */
export function Steps({ steps }: { readonly steps: readonly AskStep[] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const nameOf = usePlaceNames(steps.flatMap(({ places }) => places));
  return (
    <div className="ask-steps">
      <Button className="place-button" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {t("ask.steps", { count: steps.length })}
      </Button>
      {isOpen && (
        <ol>
          {steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step has its place and no other name
            <Step key={at} step={step} nameOf={nameOf} />
          ))}
        </ol>
      )}
    </div>
  );
}

interface StepProps {
  readonly step: AskStep;
  readonly nameOf: ReturnType<typeof usePlaceNames>;
}

function Step({ step, nameOf }: StepProps) {
  const { action, about, fromLine, toLine, error, places } = step;
  const { t } = useTranslation();
  const own = knownActions.find((each) => each === action);
  const what = own === undefined ? t("ask.did.other", { action: line(action) }) : t(`ask.did.${own}`);
  return (
    <li>
      {what} {about !== "" && <bdi>{line(about)}</bdi>}
      {fromLine !== null && toLine !== null && <> {t("ask.fromTo", { from: fromLine, to: toLine })}</>}
      {error !== null && <> {t("ask.cameToNothing", { why: knownEndText(error, t) ?? line(error) })}</>}
      {places.length > 0 && (
        <ul className="ask-places">
          {places.map((place) => (
            <li key={`${place.projectId} ${place.path}`}>
              <PlaceButton place={place}>
                <bdi>{nameOf(place)}</bdi>
              </PlaceButton>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
