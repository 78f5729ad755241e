import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { isComplete, type SettingField, type SettingValues } from "./setting-fields.ts";
import { SettingsForm } from "./settings-form.tsx";

interface SettingsStepProps {
  readonly fields: readonly SettingField[];
  readonly values: SettingValues;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onChange: (values: SettingValues) => void;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** The settings of a new source; one goes on when all that must be there is. */
export function SettingsStep({ fields, values, error, isBusy, onChange, onBack, onNext }: SettingsStepProps) {
  const { t } = useTranslation();
  return (
    <Form
      className="form"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(fields, values)) onNext();
      }}
    >
      <SettingsForm fields={fields} values={values} error={error} onChange={onChange} />
      <Problem error={error} fields={fields.map(({ name }) => name)} />
      <div className="buttons">
        <Button type="submit" className="primary" isDisabled={!isComplete(fields, values) || isBusy}>
          {t("add.next")}
        </Button>
        <Button onPress={onBack}>{t("add.back")}</Button>
      </div>
    </Form>
  );
}
