import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import "./stepper.css";
import { answerOf, api } from "../app/api.ts";
import { type Connecting, type SourceKind, useChange, useKinds } from "../scouts/queries.ts";
import { Failed, Loading } from "../states/states.tsx";
import { ConsentWait } from "./consent-wait.tsx";
import { DoneStep } from "./done-step.tsx";
import { KindStep } from "./kind-step.tsx";
import { PurposeStep } from "./purpose-step.tsx";
import { fieldsOf, type SettingValues, settingsFrom } from "./setting-fields.ts";
import { SettingsStep } from "./settings-step.tsx";

const steps = ["source", "settings", "purpose", "done"] as const;
type Step = (typeof steps)[number];
type Connected = Extract<Connecting, { status: "done" }>["connected"];

/** Adds a source step by step: which one, what it has to be told, what to look for; then it is reached at once. */
export function InlineScoutCreationStepper() {
  const { t } = useTranslation();
  const kinds = useKinds();
  const [step, setStep] = useState<Step>("source");
  const [kind, setKind] = useState<SourceKind>();
  const [values, setValues] = useState<SettingValues>({});
  const [texts, setTexts] = useState({ name: "", purpose: "" });
  const [asked, setAsked] = useState<Extract<Connecting, { status: "asked" }>>();
  const [connected, setConnected] = useState<Connected>();
  const fields = kind === undefined ? [] : fieldsOf(kind);
  const place = useRef<HTMLDivElement>(null);
  const isBegun = useRef(false);
  // Whoever goes on by keyboard goes on from the new step.
  useEffect(() => {
    if (isBegun.current && step !== "done") place.current?.focus();
    isBegun.current = kind !== undefined;
  }, [step, kind]);
  const settle = (done: Connected) => {
    // Secrets leave the page's memory with what they were typed for.
    setValues({});
    setAsked(undefined);
    setConnected(done);
    setStep("done");
  };
  const add = useChange(
    ({ source, settings }: SourceKind) =>
      answerOf(
        api.scouts.$post({
          json: { source, ...texts, ...(settings !== null && { settings: settingsFrom(fields, values) }) },
        }),
      ),
    (connecting) => (connecting.status === "asked" ? setAsked(connecting) : settle(connecting.connected)),
  );
  const choose = (chosen: SourceKind) => {
    const isReading = "url" in Object(chosen.settings?.["properties"]);
    setKind(chosen);
    setValues({});
    setTexts({ name: "", purpose: isReading ? t("add.purposeReading") : t("add.purposePeople") });
    add.reset();
    setStep(chosen.settings === null ? "purpose" : "settings");
  };
  if (kinds.isPending) return <Loading />;
  if (kinds.isError) return <Failed error={kinds.error} onRetry={() => void kinds.refetch()} />;
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
      {step === "source" && <KindStep kinds={kinds.data.kinds} onChoose={choose} />}
      {step === "settings" && (
        <SettingsStep
          fields={fields}
          values={values}
          error={add.error}
          onChange={setValues}
          onBack={() => setStep("source")}
          onNext={() => setStep("purpose")}
        />
      )}
      {step === "purpose" && asked === undefined && kind !== undefined && (
        <PurposeStep
          texts={texts}
          error={add.error}
          isConsent={kind.settings === null}
          isBusy={add.isPending}
          onChange={setTexts}
          onBack={() => setStep(kind.settings === null ? "source" : "settings")}
          onAdd={() => add.mutate(kind)}
        />
      )}
      {step === "purpose" && asked !== undefined && (
        <ConsentWait asked={asked} onDone={settle} onCancel={() => setAsked(undefined)} />
      )}
      {step === "done" && connected !== undefined && (
        <DoneStep connected={connected} onMore={() => setStep("source")} />
      )}
    </div>
  );
}
