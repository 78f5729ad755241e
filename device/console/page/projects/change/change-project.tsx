import { useQuery } from "@tanstack/react-query";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { line } from "../../app/shown-text.ts";
import { Button } from "../../form/button.tsx";
import { Confirm } from "../../form/confirm.tsx";
import { Problem, problemAtOnly } from "../../form/problem.tsx";
import { TextBox } from "../../form/text-box.tsx";
import { useTypedText } from "../../form/use-typed.ts";
import { useGo } from "../../routes/go.ts";
import { useChange } from "../../scouts/queries.ts";
import { Missing } from "../../states/missing.tsx";
import type { Project } from "../queries.ts";

/** What a project is called, and its end. */
export function ChangeProject({ project }: { readonly project: Project }) {
  const { t } = useTranslation();
  return (
    <section className="panel" aria-labelledby="change-project">
      <h2 id="change-project">{t("projects.change")}</h2>
      <Rename project={project} />
      <Remove project={project} />
    </section>
  );
}

function Rename({ project: { id, name } }: { readonly project: Project }) {
  const { t } = useTranslation();
  const { value: typed, type, sent } = useTypedText(`project.name ${id}`, name);
  const rename = useChange(
    [t("projects.rename"), name],
    (next: string) => answerOf(api.projects[":id"].$patch({ param: { id }, json: { name: next } })),
    (_, next) => sent(next),
  );
  const isSame = typed.trim() === name || typed.trim() === "";
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) rename.mutate(typed);
      }}
    >
      <TextBox label={t("panel.name")} value={typed} problem={problemAtOnly(rename.error)} onChange={type} />
      <Problem error={rename.error} isOfOneField />
      <div className="buttons">
        <Button type="submit" isDisabled={isSame || rename.isPending}>
          {t("projects.rename")}
        </Button>
      </div>
    </Form>
  );
}

function Remove({ project: { id, name } }: { readonly project: Project }) {
  const { t } = useTranslation();
  const go = useGo();
  const remove = useChange(
    [t("projects.remove"), name],
    () => answerOf(api.projects[":id"].$delete({ param: { id } })),
    () => void go({ to: "/projects" }),
  );
  return (
    <div className="buttons">
      <Confirm
        button={t("projects.remove")}
        title={t("projects.removeTitle", { name: line(name) })}
        hint={<WhatGoes id={id} />}
        isDisabled={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      />
      <Problem error={remove.error} />
    </div>
  );
}

function WhatGoes({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const asked = useQuery({
    queryKey: ["scouts", "held", id],
    queryFn: () => answerOf(api.projects[":id"].held.$get({ param: { id } })),
    staleTime: 0,
  });
  const { data } = asked;
  return (
    <>
      <p>{t("projects.removeGoes")}</p>
      <p>{t("projects.removeStays")}</p>
      <Missing of={[asked]} />
      {data !== undefined && (
        <ul>
          <li>{t("projects.removeTasks", { count: data.held.tasks })}</li>
          <li>{t("projects.removeProposals", { count: data.held.proposals })}</li>
        </ul>
      )}
    </>
  );
}
