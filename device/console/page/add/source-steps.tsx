import { useMutation } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { problemAt } from "../form/problem.tsx";
import { typedTexts } from "../form/typed-texts.ts";
import { useTyped, useTypedText } from "../form/use-typed.ts";
import { type Connecting, type SourceKind, useChange } from "../scouts/queries.ts";
import { ConsentWait } from "./consent-wait.tsx";
import { DoneStep } from "./done-step.tsx";
import { PurposeStep } from "./purpose-step.tsx";
import { atSetting, fieldsOf, isComplete, type SettingValues, settingsFrom, withoutSecrets } from "./setting-fields.ts";
import { SettingsStep } from "./settings-step.tsx";
import { StepFrame } from "./step-frame.tsx";

type Connected = Extract<Connecting, { status: "done" }>["connected"];
type Asked = Extract<Connecting, { status: "asked" }>;

/** Where one stands, as the address says: which source, and whether its settings are told. What is typed is in no address. */
export interface Stand {
  readonly source?: string;
  readonly step?: string;
}

const told = typedTexts<SettingValues>((values) => Object.values(values));
const none: SettingValues = {};

interface StepsProps {
  readonly kind: SourceKind;
  /** Whether the address says that its settings are told. */
  readonly isTold: boolean;
  readonly go: (to: Stand, replace?: boolean) => void;
  readonly isBegun: RefObject<boolean>;
}

/** The steps of a source that is chosen. */
export function SourceSteps({ kind, isTold, go, isBegun }: StepsProps) {
  const { t } = useTranslation();
  const { source } = kind;
  const isReading = "url" in Object(kind.settings?.["properties"]);
  const fields = fieldsOf(kind);
  const [typed, setTyped] = useState(none);
  const open = useTyped(told, source, none);
  const values = { ...typed, ...open.value };
  const setValues = (next: SettingValues) => {
    setTyped(next);
    open.type(withoutSecrets(fields, next));
  };
  const name = useTypedText(`add.name ${source}`);
  const purpose = useTypedText(`add.purpose ${source}`, isReading ? t("add.purposeReading") : t("add.purposePeople"));
  const texts = { name: name.value, purpose: purpose.value };
  const [asked, setAsked] = useState<Asked>();
  const [connected, setConnected] = useState<Connected>();
  const settings = kind.settings === null ? undefined : settingsFrom(fields, values);
  const settle = (done: Connected) => {
    // Secrets leave the page's memory with what they were typed for.
    setValues(none);
    name.sent(texts.name);
    purpose.sent(texts.purpose);
    setAsked(undefined);
    setConnected(done);
  };
  const add = useChange(
    [t("add.add"), texts.name],
    () => answerOf(api.scouts.$post({ json: { source, ...texts, ...(settings && { settings }) } })),
    (connecting) => (connecting.status === "asked" ? setAsked(connecting) : settle(connecting.connected)),
  );
  const check = useMutation({
    mutationFn: () => answerOf(api.sources.check.$post({ json: { source, settings: settings ?? {} } })),
    // Secrets may be among what was sent.
    gcTime: 0,
  });
  const isPurpose = settings === undefined || (isTold && isComplete(fields, values));
  const step = connected !== undefined ? "done" : isPurpose ? "purpose" : "settings";
  // What is wrong with a setting is said where it is typed: on the page before this one, as no other way leads here.
  const error = atSetting(add.error, fields);
  const isOfSetting = fields.some(({ name }) => problemAt(error, name));
  const isSentBack = step === "purpose" && settings !== undefined && isOfSetting;
  useEffect(() => {
    if (isSentBack) window.history.back();
  }, [isSentBack]);
  // An address may be older than what was typed: a page that was loaded anew knows none of it.
  const isTooFar = step === "settings" && isTold;
  useEffect(() => {
    if (isTooFar) go({ source }, true);
  });
  return (
    <StepFrame step={step} isBegun={isBegun}>
      {step === "settings" && (
        <SettingsStep
          fields={fields}
          values={values}
          error={atSetting(check.error, fields) ?? (isOfSetting ? error : null)}
          isBusy={check.isPending}
          onChange={setValues}
          onBack={() => go({})}
          onNext={() =>
            check.mutate(undefined, {
              onSuccess: () => {
                add.reset();
                go({ source, step: "purpose" });
              },
            })
          }
        />
      )}
      {step === "purpose" && asked === undefined && (
        <PurposeStep
          texts={texts}
          error={error}
          isConsent={settings === undefined}
          isBusy={add.isPending}
          onChange={(next) => {
            name.type(next.name);
            purpose.type(next.purpose);
          }}
          onBack={() => (settings === undefined ? go({}) : window.history.back())}
          onAdd={() => add.mutate(undefined)}
        />
      )}
      {step === "purpose" && asked !== undefined && (
        <ConsentWait asked={asked} onDone={settle} onCancel={() => setAsked(undefined)} />
      )}
      {step === "done" && connected !== undefined && <DoneStep connected={connected} onMore={() => go({})} />}
    </StepFrame>
  );
}
