import { Label, Text, TextArea, TextField } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "../form/button.tsx";
import "../form/form.css";
import "./edit.css";
import { Said } from "../app/said.tsx";
import { dateText, line } from "../app/shown-text.ts";
import { Confirm } from "../form/confirm.tsx";
import { useCopy } from "../form/copy.ts";
import { Problem } from "../form/problem.tsx";
import { isAsked } from "../projects/file/refused.tsx";
import { ConflictView } from "./conflict-view.tsx";
import type { Draft } from "./seal.ts";
import { useEditor } from "./use-editor.ts";
import { useSaveKey } from "./use-save-key.ts";

interface EditorProps {
  readonly start: Draft;
  /** Credentials that marks stand for. */
  readonly redactions: number;
}

/** A text of a file, to be changed. Undoing is the browser's own. */
export function Editor({ start, redactions }: EditorProps) {
  const { t, i18n } = useTranslation();
  const editor = useEditor(start, Date.now);
  const copy = useCopy();
  const { draft, state, kept, error, merging, isDirty } = editor;
  useSaveKey(() => merging === undefined && void editor.save());
  if (merging !== undefined)
    return (
      <ConflictView
        merging={merging}
        draft={draft}
        isSaving={state === "saving"}
        error={error}
        onSave={editor.save}
        onBack={editor.backToText}
      />
    );
  const told = state === "kept" && kept.where !== "device" ? kept.where : state;
  return (
    <div className="editor">
      {start.text !== start.base && isDirty && draft.base === start.base && (
        <p className="hint">{t("projects.edit.found", { at: dateText(start.at, i18n.language) })}</p>
      )}
      <TextField className="field" value={draft.text} onChange={editor.type}>
        <Label>
          {isDirty && <span aria-hidden="true">● </span>}
          {t("projects.edit.label", { name: line(draft.path) })}
        </Label>
        <TextArea className="edit-text" dir="auto" spellCheck={false} rows={24} />
        <Text slot="description">
          {t("projects.edit.hint")} {redactions > 0 && t("projects.edit.redacted", { count: redactions })}
        </Text>
      </TextField>
      <div className="buttons">
        <Button isDisabled={!isDirty || state === "saving"} onPress={() => void editor.save()}>
          {t("projects.edit.save")}
        </Button>
        {error !== null && isAsked(error) && (
          <Button onPress={() => void editor.saveAnyway()}>{t("projects.edit.saveAnyway")}</Button>
        )}
        <Button onPress={() => copy.copy(draft.text)}>{t("projects.edit.copy")}</Button>
        {isDirty && (
          <Confirm
            button={t("projects.edit.discard")}
            title={t("projects.edit.discardTitle")}
            hint={t("projects.edit.discardHint")}
            onConfirm={() => void editor.discard()}
          />
        )}
      </div>
      <p role="status">
        {t(`projects.edit.state.${told}`)} {state === "kept" && kept.where === "unkept" && <Said what={kept.why} />}{" "}
        {copy.copied === draft.text && t("projects.edit.copied")}
      </p>
      <Problem error={error ?? copy.error} />
    </div>
  );
}
