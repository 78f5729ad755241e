import { useSearch } from "@tanstack/react-router";
import { useRef } from "react";
import "../form/form.css";
import "./stepper.css";
import { useGo } from "../routes/go.ts";
import { useKinds } from "../scouts/queries.ts";
import { Failed, Loading } from "../states/states.tsx";
import { KindStep } from "./kind-step.tsx";
import { SourceSteps, type Stand } from "./source-steps.tsx";
import { StepFrame } from "./step-frame.tsx";

/** Adds a source step by step: which one, what it has to be told, what to look for; then it is reached at once. */
export function InlineScoutCreationStepper() {
  const kinds = useKinds();
  const { source, step }: Stand = useSearch({ strict: false });
  const lead = useGo();
  const go = (to: Stand, replace = false) => void lead({ to: ".", search: to, replace });
  const isBegun = useRef(false);
  if (kinds.isPending) return <Loading />;
  if (kinds.isError) return <Failed error={kinds.error} onRetry={() => void kinds.refetch()} />;
  const kind = kinds.data.kinds.find((each) => each.source === source);
  if (kind === undefined) {
    return (
      <StepFrame step="source" isBegun={isBegun}>
        <KindStep kinds={kinds.data.kinds} onChoose={(chosen) => go({ source: chosen.source })} />
      </StepFrame>
    );
  }
  // Of another source nothing is known that was typed for this one.
  return <SourceSteps key={kind.source} kind={kind} isTold={step === "purpose"} go={go} isBegun={isBegun} />;
}
