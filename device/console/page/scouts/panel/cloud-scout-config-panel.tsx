import { useEffect, useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ConsentWait } from "../../add/consent-wait.tsx";
import { answerOf, api } from "../../app/api.ts";
import { Button } from "../../form/button.tsx";
import { OnOff } from "../../form/on-off.tsx";
import { Problem, problemAt } from "../../form/problem.tsx";
import { TextBox } from "../../form/text-box.tsx";
import { typedTexts } from "../../form/typed-texts.ts";
import { Failed } from "../../states/states.tsx";
import { type Connecting, type Scout, useChange, useKinds } from "../queries.ts";
import { ChangedElsewhere } from "./changed-elsewhere.tsx";
import { changeFrom, type Draft, draftOf, isSame, otherFields } from "./draft.ts";
import { PurposeEditor } from "./purpose-editor.tsx";
import { PurposeTrial } from "./purpose-trial.tsx";

/** Fields that say what is wrong with them. */
const told = ["name", "purpose", "schedule", "pauseAfterDays"] as const;

interface Begun {
  readonly was: Draft;
  readonly draft: Draft;
}

const kept = typedTexts<Begun>(({ was, draft }) =>
  otherFields(was, draft)
    .map((field) => draft[field])
    .filter((value) => typeof value === "string"),
);

/** What its owner may change about a scout of the home. */
export function CloudScoutConfigPanel({ scout }: { readonly scout: Scout }) {
  const { t } = useTranslation();
  const now = draftOf(scout);
  const { id } = scout;
  const [begun, setBegun] = useState<Begun>(() => kept.of(id) ?? { was: now, draft: now });
  const { was, draft } = begun;
  const [asked, setAsked] = useState<Extract<Connecting, { status: "asked" }>>();
  const kinds = useKinds();
  const hasTrash = kinds.data?.kinds.find(({ source }) => source === scout.sourceType)?.trash ?? false;
  const begin = (from: Draft, shown: Draft = from) => setBegun({ was: from, draft: shown });
  const isUntouched = isSame(draft, was);
  const isOther = !isSame(now, was);
  useEffect(() => kept.keep(id, isUntouched ? undefined : begun), [id, isUntouched, begun]);
  const save = useChange(
    [t("panel.save"), scout.name],
    (typed: Draft) => answerOf(api.scouts[":id"].$patch({ param: { id }, json: changeFrom(was, typed) })),
    (connecting, typed) => {
      if (connecting.status === "asked") setAsked(connecting);
      else if (kept.of(id)?.draft === typed) kept.keep(id, undefined);
    },
  );
  // Nothing, say, becomes what is usual.
  const isSaved = save.isSuccess && save.variables === draft;
  // Nobody has typed anything, or what was typed is so by now: there is nothing to choose between.
  if (isOther && (isUntouched || isSaved || isSame(draft, now))) begin(now);
  // Saved, and typed on meanwhile: that goes on from what was saved.
  else if (isOther && save.isSuccess && isSame(now, save.variables)) begin(now, draft);
  const discard = () => {
    save.reset();
    begin(now);
  };
  const set = (change: Partial<Draft>) => begin(was, { ...draft, ...change });
  const problemOf = (field: (typeof told)[number]) => problemAt(save.error, field);
  return (
    <section className="panel" aria-labelledby="config">
      <h2 id="config">{t("panel.title")}</h2>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(draft);
        }}
      >
        <TextBox
          label={t("panel.name")}
          value={draft.name}
          problem={problemOf("name")}
          onChange={(name) => set({ name })}
        />
        <PurposeEditor value={draft.purpose} problem={problemOf("purpose")} onChange={(purpose) => set({ purpose })} />
        <PurposeTrial id={id} purpose={draft.purpose} />
        <TextBox
          label={t("panel.schedule")}
          hint={t("panel.scheduleHint")}
          value={draft.schedule}
          problem={problemOf("schedule")}
          onChange={(schedule) => set({ schedule })}
        />
        <TextBox
          label={t("panel.pauseAfterDays")}
          hint={t("panel.pauseAfterDaysHint")}
          kind="number"
          value={draft.pauseAfterDays}
          problem={problemOf("pauseAfterDays")}
          onChange={(pauseAfterDays) => set({ pauseAfterDays })}
        />
        {kinds.isError && <Failed error={kinds.error} onRetry={() => void kinds.refetch()} />}
        {hasTrash && (
          <OnOff label={t("panel.autoTrash")} isOn={draft.autoTrash} onChange={(autoTrash) => set({ autoTrash })} />
        )}
        {isOther && !isUntouched && !save.isPending ? (
          <ChangedElsewhere
            now={now}
            typed={draft}
            onTake={discard}
            onKeep={() => {
              save.reset();
              begin(now, draft);
            }}
          />
        ) : (
          <Problem error={save.error} fields={told} />
        )}
        <div className="buttons">
          <Button type="submit" className="primary" isDisabled={isUntouched || isOther || save.isPending}>
            {t("panel.save")}
          </Button>
          <Button isDisabled={isUntouched} onPress={discard}>
            {t("panel.discard")}
          </Button>
          <span role="status">{save.isSuccess && isUntouched && t("panel.saved")}</span>
        </div>
      </Form>
      {asked !== undefined && (
        <ConsentWait asked={asked} onDone={() => setAsked(undefined)} onCancel={() => setAsked(undefined)} />
      )}
    </section>
  );
}
