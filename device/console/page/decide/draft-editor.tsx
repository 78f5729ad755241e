import { useEffect, useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { useIsShown } from "../form/is-shown.ts";
import { Problem } from "../form/problem.tsx";
import { typedTexts } from "../form/typed-texts.ts";
import type { EachOf } from "../inbox/bulk.ts";
import { say, undoOne, useDecisions } from "../inbox/decisions.ts";
import type { DialogProps } from "./decide-dialog.tsx";
import { type Draft, DraftFields, type Values } from "./draft-fields.tsx";

/** A draft as somebody changes it, over the one they saw. */
interface Begun {
  readonly seen: Draft;
  readonly form: Values;
}

const typed = typedTexts<Begun>(({ seen, form }) => {
  const before = new Map(Object.entries(seen.form));
  const changed = Object.entries(form).filter(
    ([name, value]) => String(value ?? "") !== String(before.get(name) ?? ""),
  );
  return changed.map(([, value]) => String(value ?? ""));
});

const isTouched = ({ seen, form }: Begun): boolean => JSON.stringify(form) !== JSON.stringify(seen.form);

/** A proposal's draft as the device has it now. @throws ApiError */
export const draftOf = (id: string): Promise<Draft> => answerOf(api.proposals[":id"].draft.$get({ param: { id } }));

/** What was typed before, over what it was typed over; what was decided meanwhile is made into something else. */
function beginWith(id: string, now: Draft): Begun {
  const before = typed.of(id);
  if (before === undefined) return { seen: now, form: now.form };
  return before.seen.status === now.status ? before : { seen: now, form: before.form };
}

interface EditorProps extends DialogProps {
  /** As the device has it now: another than the form began with when somebody changed it meanwhile. */
  readonly now: Draft;
}

/** The form of a draft. What somebody else changes meanwhile is told, and not overwritten unasked. */
export function DraftEditor({ of, now, onClose, onDone }: EditorProps) {
  const { t } = useTranslation();
  const { perform, failed } = useDecisions();
  const isShown = useIsShown();
  const [id = ""] = of.ids;
  const [isFoundAgain] = useState(() => typed.of(id) !== undefined);
  const [begun, setBegun] = useState(() => beginWith(id, now));
  const { seen, form } = begun;
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isOpen = seen.status === "pending";
  useToldKept(of);
  const change = (next: Begun) => {
    setBegun(next);
    typed.keep(id, isTouched(next) ? next : undefined);
  };
  const take = (draft: Draft) => {
    change({ seen: draft, form: draft.form });
    setError(null);
  };

  /** What is typed while this is under way stays, in its field: a dialog that closed itself would leave its next keys to the list. */
  async function tell(what: "approved" | "saved"): Promise<void> {
    const param = { id };
    const filled = { form: { ...form, people: form.people.filter((each) => each.trim() !== "") }, seen: seen.seen };
    setBusy(true);
    setError(null);
    try {
      const asked =
        what === "saved"
          ? answerOf(api.proposals[":id"].draft.$put({ param, json: filled }))
          : isOpen
            ? answerOf(api.proposals[":id"].approve.$post({ param, json: filled }))
            : answerOf(api.proposals[":id"].convert.$post({ param, json: { form: filled.form } }));
      const { proposal } = await asked;
      const kept = Promise.resolve<EachOf>({ proposals: [proposal], refused: [] });
      const undo = what === "saved" || !isOpen ? undefined : () => undoOne(id);
      void perform({ ...of, what, kept, undo }, kept);
      const since = typed.of(id);
      if (since !== undefined && since.form !== form) {
        const draft = await draftOf(id);
        return change({ seen: draft, form: typed.of(id)?.form ?? draft.form });
      }
      typed.keep(id, undefined);
      onDone(what === "saved" ? [] : of.ids);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      if (isShown()) setError(thrown);
      else failed({ ...of, what }, thrown);
    } finally {
      setBusy(false);
    }
  }

  const isChanged = now.seen !== seen.seen && now.status === seen.status;
  const isSettled = now.status !== seen.status;
  const isDisabled = isBusy || isSettled || isChanged;
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void tell("approved");
      }}
    >
      {isSettled && (
        <p className="trouble" role="alert">
          {t("draft.settled", { status: t(`filter.${now.status}`) })}
        </p>
      )}
      {isFoundAgain && isTouched(begun) && <p role="status">{t("draft.foundAgain")}</p>}
      {isChanged && <ChangedMeanwhile now={now} onTake={() => take(now)} onKeep={() => change({ seen: now, form })} />}
      <DraftFields form={form} set={(part) => change({ seen, form: { ...form, ...part } })} error={error} />
      <Problem error={error} fields={Object.keys(form)} />
      <div className="buttons">
        <Button type="submit" className="primary" isDisabled={isDisabled}>
          {t(isOpen ? "card.approve" : "draft.convert")}
        </Button>
        {isOpen && (
          <Button isDisabled={isDisabled} onPress={() => void tell("saved")}>
            {t("draft.save")}
          </Button>
        )}
        <Button
          onPress={() => {
            typed.keep(id, undefined);
            onClose();
          }}
        >
          {t(isTouched(begun) ? "panel.discard" : "form.cancel")}
        </Button>
      </div>
    </Form>
  );
}

/** Says of a form that goes away with something typed that this is kept: whoever closed it can go on. */
function useToldKept({ ids: [id = ""], subject }: DialogProps["of"]): void {
  useEffect(
    () => () => {
      if (typed.of(id) !== undefined) say({ ids: [id], subject, what: "kept" });
    },
    [id, subject],
  );
}

interface MeanwhileProps {
  readonly now: Draft;
  readonly onTake: () => void;
  readonly onKeep: () => void;
}

/** Somebody else has written the draft: nothing is overwritten until the person says whose it is to be. */
function ChangedMeanwhile({ now, onTake, onKeep }: MeanwhileProps) {
  const { t } = useTranslation();
  return (
    <div className="trouble" role="alert">
      <p>{t("changed.title")}</p>
      <p>
        {t(`draft.kinds.${now.form.kind}`)}: <bdi>{line(now.form.title)}</bdi>
      </p>
      <div className="buttons">
        <Button onPress={onTake}>{t("changed.take")}</Button>
        <Button onPress={onKeep}>{t("changed.keep")}</Button>
      </div>
    </div>
  );
}
