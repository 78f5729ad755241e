import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "../form/button.tsx";
import { Problem, problemAt } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { PurposeEditor } from "../scouts/panel/purpose-editor.tsx";

interface Texts {
  readonly name: string;
  readonly purpose: string;
}

interface PurposeStepProps {
  readonly texts: Texts;
  readonly error: Error | null;
  readonly isConsent: boolean;
  readonly isBusy: boolean;
  readonly onChange: (texts: Texts) => void;
  readonly onBack: () => void;
  readonly onAdd: () => void;
}

/** What it is to look for, and what it is called; then it is tried. */
export function PurposeStep({ texts, error, isConsent, isBusy, onChange, onBack, onAdd }: PurposeStepProps) {
  const { t } = useTranslation();
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      <PurposeEditor
        value={texts.purpose}
        problem={problemAt(error, "purpose")}
        onChange={(purpose) => onChange({ ...texts, purpose })}
      />
      <TextBox
        label={t("panel.name")}
        hint={t("add.nameHint")}
        value={texts.name}
        problem={problemAt(error, "name")}
        onChange={(name) => onChange({ ...texts, name })}
      />
      {isConsent && <p className="hint">{t("add.consentHint")}</p>}
      <Problem error={error} fields={["purpose", "name"]} />
      <div className="buttons">
        <Button type="submit" className="primary" isDisabled={isBusy}>
          {isBusy ? t("add.checking") : t("add.add")}
        </Button>
        <Button onPress={onBack}>{t("add.back")}</Button>
      </div>
    </Form>
  );
}
