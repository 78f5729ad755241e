import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { FolderPicker } from "../form/folder-picker.tsx";
import { Problem } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { useChange } from "../scouts/queries.ts";

/** Links a folder of this machine, by its path; it is read in the background. */
export function LinkFolderForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [path, setPath] = useState("");
  const link = useChange(
    () => answerOf(api.folders.$post({ json: { name: "", path: path.trim() } })),
    ({ folder }) => void navigate({ to: "/scouts/folders/$id", params: { id: folder.id } }),
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
