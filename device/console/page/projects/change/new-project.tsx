import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { Button } from "../../form/button.tsx";
import { Problem, problemAtOnly } from "../../form/problem.tsx";
import { TextBox } from "../../form/text-box.tsx";
import { useTypedText } from "../../form/use-typed.ts";
import { useGo } from "../../routes/go.ts";
import { useChange } from "../../scouts/queries.ts";

/** Makes a project by its name alone; a folder may be linked to it later. */
export function NewProject() {
  const { t } = useTranslation();
  const go = useGo();
  const { value: name, type, sent } = useTypedText("project.new");
  const make = useChange(
    (called: string) => [t("projects.make"), called],
    (called: string) => answerOf(api.projects.$post({ json: { name: called } })),
    ({ project }, called) => {
      sent(called);
      void go({ to: "/projects/$id", params: { id: project.id } });
    },
  );
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") make.mutate(name);
      }}
    >
      <TextBox
        label={t("panel.name")}
        hint={t("projects.newHint")}
        value={name}
        problem={problemAtOnly(make.error)}
        onChange={type}
      />
      <Problem error={make.error} isOfOneField />
      <div className="buttons">
        <Button type="submit" isDisabled={name.trim() === "" || make.isPending}>
          {t("projects.make")}
        </Button>
      </div>
    </Form>
  );
}
