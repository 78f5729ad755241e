import { useId, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Choice } from "../app/choice.tsx";
import { FolderPicker } from "../form/folder-picker.tsx";
import { OnOff } from "../form/on-off.tsx";
import { problemAt } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import type { SettingField, SettingValues } from "./setting-fields.ts";

interface SettingsFormProps {
  readonly fields: readonly SettingField[];
  readonly values: SettingValues;
  readonly error: Error | null;
  readonly onChange: (values: SettingValues) => void;
}

/** What a source wants to be told, by its own schema. */
export function SettingsForm({ fields, values, error, onChange }: SettingsFormProps) {
  const { t } = useTranslation();
  const rare = fields.filter(({ isRare }) => isRare);
  // Whoever comes back finds what they had typed.
  const [isAll, setAll] = useState(() => rare.some(({ name }) => (values[name] ?? "") !== ""));
  const more = useId();
  // What is wrong is not hidden.
  const isOpen = isAll || rare.some(({ name }) => problemAt(error, name));
  const set = (name: string) => (value: string) => onChange({ ...values, [name]: value });
  const shown = (field: SettingField) => (
    <SettingInput
      key={field.name}
      field={field}
      value={values[field.name] ?? ""}
      error={error}
      onChange={set(field.name)}
    />
  );
  return (
    <>
      {fields.filter(({ isRare }) => !isRare).map(shown)}
      {rare.length > 0 && (
        <Button aria-expanded={isOpen} aria-controls={more} onPress={() => setAll(!isOpen)}>
          {isOpen ? t("add.less") : t("add.more")}
        </Button>
      )}
      {isOpen && (
        <div id={more} className="form">
          {rare.map(shown)}
        </div>
      )}
    </>
  );
}

interface SettingInputProps {
  readonly field: SettingField;
  readonly value: string;
  readonly error: Error | null;
  readonly onChange: (value: string) => void;
}

function SettingInput({ field, value, error, onChange }: SettingInputProps) {
  const { t, i18n } = useTranslation();
  const { name, kind, options, usual, isRequired } = field;
  const label = i18n.exists(`setting.${name}`) ? t(`setting.${name}`) : name;
  const problem = problemAt(error, name);
  if (kind === "switch") {
    return <OnOff label={label} isOn={value !== ""} onChange={(isOn) => onChange(isOn ? "true" : "")} />;
  }
  if (kind === "choice") {
    const named = (option: string) => (i18n.exists(`settingChoice.${option}`) ? t(`settingChoice.${option}`) : option);
    const shown = options.map((option) => [option, named(option)] as const);
    return <Choice label={label} value={value || usual || (options[0] ?? "")} options={shown} onChange={onChange} />;
  }
  const hints = [...(kind === "list" ? [t("add.listHint")] : []), ...(usual === "" ? [] : [t("add.usual", { usual })])];
  const box = (
    <TextBox
      label={label}
      kind={kind === "list" ? "text" : kind}
      value={value}
      isRequired={isRequired}
      problem={problem}
      hint={hints.length === 0 ? undefined : hints.join(" ")}
      onChange={onChange}
    />
  );
  if (name !== "path") return box;
  return (
    <div className="form">
      {box}
      <FolderPicker from={value} onChoose={onChange} />
    </div>
  );
}
