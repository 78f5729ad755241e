import type { InferResponseType } from "hono/client";
import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ApiError, answerOf, api } from "../app/api.ts";
import { Choice } from "../app/choice.tsx";
import { line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import type { EachOf } from "../inbox/bulk.ts";
import { useDecisions } from "../inbox/decisions.ts";
import { useChoices } from "../inbox/proposals.ts";
import { DateBox } from "./date-box.tsx";
import type { DialogProps } from "./decide-dialog.tsx";

export type Draft = InferResponseType<(typeof api.proposals)[":id"]["draft"]["$get"]>;
type Values = Draft["form"];

const kinds = ["task", "event", "note", "project", "nothing"] as const;
const priorities = ["now", "soon", "later", "none"] as const;
const none = "none";

interface FieldsProps extends DialogProps {
  /** As the device has it now: another than the form began with when somebody changed it meanwhile. */
  readonly now: Draft;
}

/** The form of a draft. What somebody else changes meanwhile is told, and not overwritten unasked. */
export function DraftFields({ of, now, onClose, onDone }: FieldsProps) {
  const { t } = useTranslation();
  const { perform } = useDecisions();
  const [seen, setSeen] = useState(now);
  const [form, setForm] = useState(now.form);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [id = ""] = of.ids;
  const isOpen = seen.status === "pending";
  const set = (change: Partial<Values>) => setForm({ ...form, ...change });
  const take = (draft: Draft) => {
    setSeen(draft);
    setForm(draft.form);
    setError(null);
  };

  async function tell(what: "approved" | "saved"): Promise<void> {
    const param = { id };
    const filled = { form: { ...form, people: form.people.filter((each) => each.trim() !== "") }, seen: seen.seen };
    setBusy(true);
    setError(null);
    try {
      const asked =
        what === "saved"
          ? answerOf(api.proposals[":id"].draft.$put({ param, json: filled }))
          : isOpen
            ? answerOf(api.proposals[":id"].approve.$post({ param, json: filled }))
            : answerOf(api.proposals[":id"].convert.$post({ param, json: { form: filled.form } }));
      const { proposal } = await asked;
      const kept = Promise.resolve<EachOf>({ proposals: [proposal], refused: [] });
      const undo = () => answerOf(api.proposals[":id"].decision.$delete({ param }));
      void perform({ ...of, what, kept, undo: what === "saved" || !isOpen ? undefined : undo }, kept);
      onDone(what === "saved" ? [] : of.ids);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      setError(thrown);
    } finally {
      setBusy(false);
    }
  }

  const isChanged = now.seen !== seen.seen && now.status === seen.status;
  const isSettled = now.status !== seen.status;
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void tell("approved");
      }}
    >
      {isSettled && (
        <p className="trouble" role="alert">
          {t("draft.settled", { status: t(`filter.${now.status}`) })}
        </p>
      )}
      {isChanged && <ChangedMeanwhile now={now} onTake={() => take(now)} onKeep={() => setSeen(now)} />}
      <Fields form={form} set={set} error={error} />
      <Problem error={fieldOf(error) === undefined ? error : null} />
      <div className="buttons">
        <Button type="submit" className="primary" isDisabled={isBusy || isSettled || isChanged}>
          {t(isOpen ? "card.approve" : "draft.convert")}
        </Button>
        {isOpen && (
          <Button isDisabled={isBusy || isSettled || isChanged} onPress={() => void tell("saved")}>
            {t("draft.save")}
          </Button>
        )}
        <Button onPress={onClose}>{t("form.cancel")}</Button>
      </div>
    </Form>
  );
}

const fieldOf = (error: Error | null): string | undefined => (error instanceof ApiError ? error.field : undefined);

interface MeanwhileProps {
  readonly now: Draft;
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

/** Somebody else has written the draft: nothing is overwritten until the person says whose it is to be. */
function ChangedMeanwhile({ now, onTake, onKeep }: MeanwhileProps) {
  const { t } = useTranslation();
  return (
    <div className="trouble" role="alert">
      <p>{t("changed.title")}</p>
      <p>
        {t(`draft.kinds.${now.form.kind}`)}: <bdi>{line(now.form.title)}</bdi>
      </p>
      <div className="buttons">
        <Button onPress={onTake}>{t("changed.take")}</Button>
        <Button onPress={onKeep}>{t("changed.keep")}</Button>
      </div>
    </div>
  );
}

interface FormProps {
  readonly form: Values;
  readonly set: (change: Partial<Values>) => void;
  readonly error: Error | null;
}

function Fields({ form, set, error }: FormProps) {
  const { t } = useTranslation();
  const problem = (name: keyof Values) => (error !== null && fieldOf(error) === name ? error : undefined);
  const { kind, title, text } = form;
  return (
    <>
      <Choice
        label={t("draft.kind")}
        value={kind}
        options={kinds.map((each) => [each, t(`draft.kinds.${each}`)] as const)}
        onChange={(value) => set({ kind: kinds.find((each) => each === value) ?? kind })}
      />
      {kind !== "nothing" && (
        <TextBox
          label={t(kind === "project" ? "draft.name" : "draft.title")}
          value={title}
          onChange={(value) => set({ title: value.slice(0, 200) })}
          problem={problem("title")}
        />
      )}
      {kind === "task" && <TaskFields form={form} set={set} error={error} />}
      {kind === "event" && <EventFields form={form} set={set} error={error} />}
      {kind !== "nothing" && kind !== "project" && (
        <TextBox
          label={t("draft.text")}
          kind="lines"
          value={text}
          onChange={(value) => set({ text: value.slice(0, 4_000) })}
        />
      )}
    </>
  );
}

function TaskFields({ form, set, error }: FormProps) {
  const { t } = useTranslation();
  const { data: choices } = useChoices();
  const projects = choices?.projects ?? [];
  return (
    <>
      <DateBox
        label={t("draft.due")}
        value={form.due}
        onChange={(due) => set({ due })}
        hint={t("draft.dateHint")}
        problem={error !== null && fieldOf(error) === "due" ? error : undefined}
      />
      <Choice
        label={t("filter.priority")}
        value={form.priority}
        options={priorities.map((each) => [each, t(`priority.${each}`)] as const)}
        onChange={(value) => set({ priority: priorities.find((each) => each === value) ?? form.priority })}
      />
      {projects.length > 0 && (
        <Choice
          label={t("filter.project")}
          value={form.projectId ?? none}
          options={[
            [none, t("draft.noProject")] as const,
            ...projects.map(({ id, name }) => [id, line(name)] as const),
          ]}
          onChange={(value) => set({ projectId: projects.find(({ id }) => id === value)?.id ?? null })}
        />
      )}
    </>
  );
}

function EventFields({ form, set, error }: FormProps) {
  const { t } = useTranslation();
  const { data: choices } = useChoices();
  const problem = (name: keyof Values) => (error !== null && fieldOf(error) === name ? error : undefined);
  return (
    <>
      <DateBox
        label={t("draft.start")}
        value={form.start}
        onChange={(start) => set({ start })}
        hint={t("draft.startHint")}
        problem={problem("start")}
      />
      <DateBox label={t("draft.end")} value={form.end} onChange={(end) => set({ end })} problem={problem("end")} />
      <TextBox
        label={t("draft.zone")}
        value={form.zone}
        onChange={(zone) => set({ zone })}
        hint={t("draft.zoneHint", { zone: choices?.zone ?? "" })}
        problem={problem("zone")}
      />
      <TextBox label={t("draft.place")} value={form.place} onChange={(place) => set({ place })} />
      <TextBox
        label={t("draft.people")}
        value={form.people.join(", ")}
        onChange={(people) => set({ people: people.split(/,\s?/).slice(0, 100) })}
        hint={t("add.listHint")}
      />
    </>
  );
}
