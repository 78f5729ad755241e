import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ConsentWait } from "../../add/consent-wait.tsx";
import { answerOf, api } from "../../app/api.ts";
import { Button } from "../../form/button.tsx";
import { OnOff } from "../../form/on-off.tsx";
import { Problem, problemAt } from "../../form/problem.tsx";
import { TextBox } from "../../form/text-box.tsx";
import { Failed } from "../../states/states.tsx";
import { type Connecting, type Scout, useChange, useKinds } from "../queries.ts";
import { ChangedElsewhere } from "./changed-elsewhere.tsx";
import { changeFrom, type Draft, draftOf, isSame } from "./draft.ts";
import { PurposeEditor } from "./purpose-editor.tsx";
import { PurposeTrial } from "./purpose-trial.tsx";

/** Fields that say what is wrong with them. */
const told = ["name", "purpose", "schedule", "pauseAfterDays"] as const;

/** What its owner may change about a scout of the home. */
export function CloudScoutConfigPanel({ scout }: { readonly scout: Scout }) {
  const { t } = useTranslation();
  const now = draftOf(scout);
  const [was, setWas] = useState(now);
  const [draft, setDraft] = useState(now);
  const [asked, setAsked] = useState<Extract<Connecting, { status: "asked" }>>();
  const kinds = useKinds();
  const hasTrash = kinds.data?.kinds.find(({ source }) => source === scout.sourceType)?.trash ?? false;
  const begin = (from: Draft, shown: Draft = from) => {
    setWas(from);
    setDraft(shown);
  };
  const isUntouched = isSame(draft, was);
  const isOther = !isSame(now, was);
  const save = useChange(
    (typed: Draft) => answerOf(api.scouts[":id"].$patch({ param: { id: scout.id }, json: changeFrom(was, typed) })),
    (connecting) => {
      if (connecting.status === "asked") setAsked(connecting);
    },
  );
  // Nothing, say, becomes what is usual.
  const isSaved = save.isSuccess && save.variables === draft;
  // Nobody has typed anything, or what was typed is so by now: there is nothing to choose between.
  if (isOther && (isUntouched || isSaved || isSame(draft, now))) begin(now);
  const discard = () => {
    save.reset();
    begin(now);
  };
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
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
        <PurposeTrial id={scout.id} purpose={draft.purpose} />
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
