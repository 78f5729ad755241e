import type { InferResponseType } from "hono/client";
import { useTranslation } from "react-i18next";
import type { api } from "../app/api.ts";
import { Choice } from "../app/choice.tsx";
import { line } from "../app/shown-text.ts";
import { Problem, problemAt } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { useChoices } from "../inbox/proposals.ts";
import { DateBox } from "./date-box.tsx";

export type Draft = InferResponseType<(typeof api.proposals)[":id"]["draft"]["$get"]>;

export type Values = Draft["form"];

const kinds = ["task", "event", "note", "project", "nothing"] as const;
const priorities = ["now", "soon", "later", "none"] as const;
const none = "none";

interface FormProps {
  readonly form: Values;
  readonly set: (change: Partial<Values>) => void;
  readonly error: Error | null;
}

/** What a draft says, as somebody types it: how long it may be is said by who keeps it. */
export function DraftFields({ form, set, error }: FormProps) {
  const { t } = useTranslation();
  const problem = (name: keyof Values) => problemAt(error, name);
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
          onChange={(value) => set({ title: value })}
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
          onChange={(value) => set({ text: value })}
          problem={problem("text")}
        />
      )}
    </>
  );
}

function TaskFields({ form, set, error }: FormProps) {
  const { t } = useTranslation();
  const { data: choices, error: unknown } = useChoices();
  const projects = choices?.projects ?? [];
  return (
    <>
      <DateBox
        label={t("draft.due")}
        value={form.due}
        onChange={(due) => set({ due })}
        hint={t("draft.dateHint")}
        problem={problemAt(error, "due")}
      />
      <Choice
        label={t("filter.priority")}
        value={form.priority}
        options={priorities.map((each) => [each, t(`priority.${each}`)] as const)}
        onChange={(value) => set({ priority: priorities.find((each) => each === value) ?? form.priority })}
      />
      <Problem error={unknown} />
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
  const problem = (name: keyof Values) => problemAt(error, name);
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
      <TextBox
        label={t("draft.place")}
        value={form.place}
        onChange={(place) => set({ place })}
        problem={problem("place")}
      />
      <TextBox
        label={t("draft.people")}
        kind="lines"
        value={form.people.join("\n")}
        onChange={(people) => set({ people: people.split("\n") })}
        hint={t("draft.peopleHint")}
        problem={problem("people")}
      />
    </>
  );
}
