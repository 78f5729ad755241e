import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ApiError } from "../app/api.ts";
import { Button } from "../form/button.tsx";
import { useIsShown } from "../form/is-shown.ts";
import { Problem } from "../form/problem.tsx";
import { most, type Steps, snoozeAll } from "../inbox/bulk.ts";
import { useDecisions } from "../inbox/decisions.ts";
import { useChoices } from "../inbox/proposals.ts";
import { DateBox } from "./date-box.tsx";
import { DecideDialog, type DialogProps } from "./decide-dialog.tsx";
import { momentText } from "./when-text.ts";

/** What is wrong with a time itself, and not with what was to be put off until then. */
const ofTheTime: readonly string[] = ["date_invalid", "value_invalid"];

/**
 * Until when proposals are out of sight. A time that is refused is said here, where another can be chosen: the first of many are put
 * off while this is open, and the others after it, as with all that is done with many.
 */
export function SnoozeDialog({ of, onClose, onDone }: DialogProps) {
  const { t, i18n } = useTranslation();
  const { data: choices, error } = useChoices();
  const { performMany, failed } = useDecisions();
  const isShown = useIsShown();
  const [until, setUntil] = useState("");
  const [tried, setTried] = useState<{ readonly isTyped: boolean; readonly error: Error }>();
  const [isBusy, setBusy] = useState(false);
  async function snooze(at: number | string): Promise<void> {
    const refused = (error: Error) =>
      isShown() ? setTried({ isTyped: typeof at === "string", error }) : failed({ ...of, what: "snoozed" }, error);
    setBusy(true);
    setTried(undefined);
    try {
      const first = await snoozeAll(of.ids.slice(0, most), at);
      const [none] = first.refused.length === of.ids.length ? first.refused : [];
      if (none !== undefined) return refused(new ApiError(none.why, 409));
      // Words may mean another moment by the time the last of many are asked for.
      const untilMs = first.proposals[0]?.snoozedUntil ?? undefined;
      const undo = async (ids: readonly string[], steps: Steps) => ({
        what: "woken" as const,
        ...(await snoozeAll(ids, null, steps)),
      });
      performMany(of, { what: "snoozed", untilMs, undo }, (steps) => snoozeAll(of.ids, untilMs ?? at, steps, first));
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
