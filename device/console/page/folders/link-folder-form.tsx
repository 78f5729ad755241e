import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { Button } from "../form/button.tsx";
import { FolderPicker } from "../form/folder-picker.tsx";
import { Problem } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { useChange } from "../scouts/queries.ts";

/** Links a folder of this machine, by its path, to a project of its own or to one that is there; it is read in the background. */
export function LinkFolderForm({ project }: { readonly project?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [path, setPath] = useState("");
  const link = useChange(
    () => linked(path.trim(), project),
    (id) => void navigate({ to: "/projects/$id", params: { id } }),
  );
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim() !== "") link.mutate(undefined);
      }}
    >
      <TextBox label={t("folder.path")} hint={t("folder.pathHint")} value={path} onChange={setPath} />
      <Problem error={link.error} />
      <div className="buttons">
        <FolderPicker from={path} onChoose={setPath} />
        <Button type="submit" isDisabled={path.trim() === "" || link.isPending}>
          {t("folder.link")}
        </Button>
      </div>
    </Form>
  );
}

/** @returns the project's id */
async function linked(path: string, project: string | undefined): Promise<string> {
  if (project === undefined) return (await answerOf(api.folders.$post({ json: { name: "", path } }))).folder.id;
  const asked = api.projects[":id"].folder.$post({ param: { id: project }, json: { path } });
  return (await answerOf(asked)).project.id;
}
