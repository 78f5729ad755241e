import { useTranslation } from "react-i18next";
import { TextBox } from "../../form/text-box.tsx";

interface PurposeProps {
  readonly value: string;
  readonly problem: Error | undefined;
  readonly onChange: (purpose: string) => void;
}

/** What a scout is to look for, in its owner's words. */
export function PurposeEditor({ value, problem, onChange }: PurposeProps) {
  const { t } = useTranslation();
  return (
    <TextBox
      label={t("panel.purpose")}
      hint={t("panel.purposeHint")}
      kind="lines"
      value={value}
      problem={problem}
      onChange={onChange}
    />
  );
}
