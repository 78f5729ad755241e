import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ApiError } from "../app/api.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { snoozeAll } from "../inbox/bulk.ts";
import { useDecisions } from "../inbox/decisions.ts";
import { useChoices } from "../inbox/proposals.ts";
import { DateBox } from "./date-box.tsx";
import { DecideDialog, type DialogProps } from "./decide-dialog.tsx";
import { momentText } from "./when-text.ts";

/** What is wrong with a time itself, and not with what was to be put off until then. */
const ofTheTime: readonly string[] = ["date_invalid", "value_invalid"];

/** Until when proposals are out of sight. What is refused of all of them is said here, where another time can be chosen. */
export function SnoozeDialog({ of, onClose, onDone }: DialogProps) {
  const { t, i18n } = useTranslation();
  const { data: choices, error } = useChoices();
  const { perform } = useDecisions();
  const [until, setUntil] = useState("");
  const [tried, setTried] = useState<{ readonly isTyped: boolean; readonly error: Error }>();
  const [isBusy, setBusy] = useState(false);
  async function snooze(at: number | string): Promise<void> {
    const refused = (error: Error) => setTried({ isTyped: typeof at === "string", error });
    setBusy(true);
    setTried(undefined);
    try {
      const each = await snoozeAll(of.ids, at);
      const [first] = each.refused;
      if (first !== undefined && each.proposals.length === 0) return refused(new ApiError(first.why, 409));
      const untilMs = each.proposals[0]?.snoozedUntil ?? undefined;
      const undo = async () => ({ what: "woken" as const, ...(await snoozeAll(of.ids, null)) });
      const kept = Promise.resolve(each);
      void perform({ ...of, what: "snoozed", untilMs, kept, undo }, kept);
      onDone(of.ids);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      refused(thrown);
    } finally {
      setBusy(false);
    }
  }
  const isAtField =
    tried?.isTyped === true && tried.error instanceof ApiError && ofTheTime.includes(tried.error.told.code);
  return (
    <DecideDialog title={t("deed.snooze")} of={of} onClose={onClose}>
      <Problem error={error} />
      <div className="choices">
        {choices?.snoozes.map(({ name, atMs }) => (
          <Button key={name} isDisabled={isBusy} onPress={() => void snooze(atMs)}>
            {t(`snooze.${name}`)} <span className="hint">{momentText(atMs, i18n.language)}</span>
          </Button>
        ))}
      </div>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void snooze(until);
        }}
      >
        <DateBox
          label={t("snooze.until")}
          value={until}
          onChange={setUntil}
          hint={t("snooze.hint")}
          problem={isAtField ? tried.error : undefined}
        />
        <Problem error={isAtField ? null : (tried?.error ?? null)} />
        <div className="buttons">
          <Button type="submit" className="primary" isDisabled={isBusy}>
            {t("snooze.do")}
          </Button>
          <Button onPress={onClose}>{t("form.cancel")}</Button>
        </div>
      </Form>
    </DecideDialog>
  );
}
