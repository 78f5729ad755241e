import { useId } from "react";
import { useTranslation } from "react-i18next";
import { TextBox } from "../form/text-box.tsx";

interface DateBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly problem?: Error | undefined;
}

const day = /^\d{4}-\d\d-\d\d/;

/** A day, with a time or without: typed, in words too, or picked from a calendar. The device reads it. */
export function DateBox({ label, value, onChange, hint, problem }: DateBoxProps) {
  const { t } = useTranslation();
  const id = useId();
  const [picked = ""] = day.exec(value) ?? [];
  return (
    <div className="date-box">
      <TextBox label={label} value={value} onChange={onChange} hint={hint} problem={problem} />
      <label htmlFor={id} className="unseen">
        {t("draft.pick", { label })}
      </label>
      <input
        id={id}
        type="date"
        value={picked}
        onChange={({ target }) => target.value !== "" && onChange(`${target.value}${value.slice(picked.length)}`)}
      />
    </div>
  );
}
