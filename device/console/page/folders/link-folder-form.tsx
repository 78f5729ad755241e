import { useQueryClient } from "@tanstack/react-query";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { Button } from "../form/button.tsx";
import { FolderPicker } from "../form/folder-picker.tsx";
import { Problem, problemAtOnly } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { useTypedText } from "../form/use-typed.ts";
import { keepReplaced } from "../projects/change/replaced-folder.tsx";
import { useGo } from "../routes/go.ts";
import { useChange } from "../scouts/queries.ts";

/** Links a folder of this machine, by its path, to a project of its own or to one that is there; it is read in the background. */
export function LinkFolderForm({ project }: { readonly project?: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const client = useQueryClient();
  const { value: path, type, sent } = useTypedText(`folder.path ${project ?? ""}`);
  const link = useChange(
    (typed: string) => [t("folder.link"), typed],
    (typed: string) => linked(typed.trim(), project),
    ({ id, replaced }, typed) => {
      sent(typed);
      keepReplaced(client, id, replaced);
      void go({ to: "/projects/$id", params: { id } });
    },
  );
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim() !== "") link.mutate(path);
      }}
    >
      <TextBox
        label={t("folder.path")}
        hint={t("folder.pathHint")}
        value={path}
        problem={problemAtOnly(link.error)}
        onChange={type}
      />
      <Problem error={link.error} isOfOneField />
      <div className="buttons">
        <FolderPicker from={path} onChoose={type} />
        <Button type="submit" isDisabled={path.trim() === "" || link.isPending}>
          {t("folder.link")}
        </Button>
      </div>
    </Form>
  );
}

/** @returns the project's id, and the other folder that it had */
async function linked(path: string, project: string | undefined) {
  if (project === undefined) {
    const { folder } = await answerOf(api.folders.$post({ json: { name: "", path } }));
    return { id: folder.id, replaced: null };
  }
  const given = await answerOf(api.projects[":id"].folder.$post({ param: { id: project }, json: { path } }));
  const { project: of, replaced, ...came } = given;
  return { id: of.id, replaced: replaced === null ? null : { path: replaced, ...came } };
}
