import { useTranslation } from "react-i18next";
import { Choice } from "../../app/choice.tsx";
import { line } from "../../app/shown-text.ts";
import { TextBox } from "../../form/text-box.tsx";
import { Missing } from "../../states/missing.tsx";
import { useProjects } from "../queries.ts";

interface FieldProps {
  readonly name: string;
  readonly form: "line" | "lines" | "list" | "priority" | "project" | "status";
  readonly value: string;
  readonly problem: Error | undefined;
  readonly onChange: (value: string) => void;
}

const priorities = ["now", "soon", "later", "none"] as const;
const statuses = ["confirmed", "tentative", "cancelled"] as const;

/** Fields whose form is not plain from their name. */
const hinted: readonly string[] = ["due", "start", "end", "zone", "people", "addresses", "markdown"];

/** One field of a form. */
export function EntityField({ name, form, value, problem, onChange }: FieldProps) {
  const { t } = useTranslation();
  const label = t(`work.field.${name}`);
  if (form === "project") return <ProjectChoice {...{ label, value, onChange }} />;
  if (form === "priority") {
    const options = priorities.map((each) => [each, t(`work.priority.${each}`)] as const);
    return <Choice {...{ label, value, options, onChange }} />;
  }
  if (form === "status") {
    const options = statuses.map((each) => [each, t(`work.eventStatus.${each}`)] as const);
    return <Choice {...{ label, value, options, onChange }} />;
  }
  return (
    <TextBox
      {...{ label, value, problem, onChange }}
      kind={form === "line" ? "text" : "lines"}
      hint={hinted.includes(name) ? t(`work.fieldHint.${name}`) : undefined}
    />
  );
}

/** No project; ids are never empty. */
const none = "none";

function ProjectChoice({
  label,
  value,
  onChange,
}: Pick<FieldProps, "value" | "onChange"> & { readonly label: string }) {
  const { t } = useTranslation();
  const asked = useProjects();
  const { data } = asked;
  const projects = data?.projects ?? [];
  const options = [
    [none, t("work.noProject")] as const,
    ...projects.map(({ id, name }) => [id, line(name) || id] as const),
  ];
  return (
    <>
      <Choice
        {...{ label, options }}
        value={value === "" ? none : value}
        onChange={(chosen) => onChange(chosen === none ? "" : chosen)}
      />
      <Missing of={[asked]} />
    </>
  );
}
