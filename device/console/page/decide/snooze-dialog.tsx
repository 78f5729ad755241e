import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Problem } from "../form/problem.tsx";
import { snoozeAll } from "../inbox/bulk.ts";
import { useDecisions } from "../inbox/decisions.ts";
import { useChoices } from "../inbox/proposals.ts";
import { DateBox } from "./date-box.tsx";
import { DecideDialog, type DialogProps } from "./decide-dialog.tsx";
import { momentText } from "./when-text.ts";

/** Until when proposals are out of sight. */
export function SnoozeDialog({ of, onClose, onDone }: DialogProps) {
  const { t, i18n } = useTranslation();
  const { data: choices } = useChoices();
  const { perform } = useDecisions();
  const [until, setUntil] = useState("");
  const [error, setError] = useState<Error | null>(null);
  // What is typed may be no date: then the dialog stays, and says so.
  async function snooze(at: number | string | null): Promise<void> {
    try {
      const kept = snoozeAll(of.ids, at);
      const { refused, proposals } = await kept;
      if (proposals.length > 0 || typeof at !== "string" || refused.length === 0) onDone(of.ids);
      const undo = at === null ? undefined : () => snoozeAll(of.ids, null);
      void perform({ ...of, what: at === null ? "saved" : "snoozed", kept, undo }, kept);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      setError(thrown);
    }
  }
  return (
    <DecideDialog title={t("deed.snooze")} of={of} onClose={onClose}>
      <div className="choices">
        {choices?.snoozes.map(({ name, atMs }) => (
          <Button key={name} onPress={() => void snooze(atMs)}>
            {t(`snooze.${name}`)} <span className="hint">{momentText(atMs, i18n.language)}</span>
          </Button>
        ))}
        <Button onPress={() => void snooze(null)}>{t("snooze.off")}</Button>
      </div>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void snooze(until);
        }}
      >
        <DateBox label={t("snooze.until")} value={until} onChange={setUntil} hint={t("snooze.hint")} />
        <Problem error={error} />
        <div className="buttons">
          <Button type="submit" className="primary">
            {t("snooze.do")}
          </Button>
          <Button onPress={onClose}>{t("form.cancel")}</Button>
        </div>
      </Form>
    </DecideDialog>
  );
}
