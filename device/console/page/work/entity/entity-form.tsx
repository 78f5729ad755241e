import { useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "../../form/button.tsx";
import { Problem, problemAt } from "../../form/problem.tsx";
import { typedTexts } from "../../form/typed-texts.ts";
import type { Kind } from "../kinds.ts";
import { type One, useEdit } from "../queries.ts";
import { Conflict } from "./conflict.tsx";
import { EntityField } from "./entity-field.tsx";
import { type Begun, draftOf, fieldsOf, mineOn, onNow, otherFields, saidBy } from "./fields.ts";

const typed = typedTexts<Begun>(({ was, draft }) => otherFields(was, draft).map((name) => draft[name] ?? ""));

const begin = (kind: Kind, one: One): Begun => {
  const draft = draftOf(kind, one);
  return { revision: one.revision, was: draft, draft };
};

/** Whether nothing is typed that is not said already. */
const isSame = ({ was, draft }: Begun): boolean => otherFields(was, draft).length === 0;

interface FormProps {
  readonly kind: Kind;
  readonly one: One;
  readonly called: string;
}

/** Says something else of one. What somebody else has changed meanwhile is shown, and not overwritten unasked. */
export function EntityForm({ kind, one, called }: FormProps) {
  const { t } = useTranslation();
  const { id } = one.entity;
  const [kept, setBegun] = useState<Begun>(() => typed.of(id) ?? begin(kind, one));
  const { begun, conflicts } = onNow(kind, kept, one);
  const { was, draft } = begun;
  const isUntouched = isSame(begun);
  useEffect(() => typed.keep(id, isUntouched ? undefined : begun), [id, isUntouched, begun]);
  const sent = useRef(draft);
  const edit = useEdit([t("panel.save"), called], kind, id, (edited) => {
    // What was typed since it was sent stays, on what it is now; also where its page is gone by then.
    const since = mineOn(kind, { ...begun, was: sent.current }, edited);
    typed.keep(id, isSame(since) ? undefined : since);
    setBegun(since);
  });
  const set = (name: string, value: string) => setBegun({ ...begun, draft: { ...draft, [name]: value } });
  const take = () => {
    edit.reset();
    setBegun(begin(kind, one));
  };
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        sent.current = draft;
        edit.mutate({ revision: begun.revision, said: saidBy(kind, was, draft) });
      }}
    >
      {fieldsOf[kind].map(([name, form]) => (
        <EntityField
          key={name}
          {...{ name, form }}
          value={draft[name] ?? ""}
          problem={problemAt(edit.error, name)}
          onChange={(value) => set(name, value)}
        />
      ))}
      {conflicts.length > 0 ? (
        <Conflict
          fields={conflicts}
          now={draftOf(kind, one)}
          onTake={take}
          onKeep={() => {
            edit.reset();
            setBegun(mineOn(kind, begun, one));
          }}
        />
      ) : (
        <Problem error={edit.error} fields={fieldsOf[kind].map(([name]) => name)} />
      )}
      <div className="buttons">
        <Button type="submit" className="primary" isDisabled={isUntouched || conflicts.length > 0 || edit.isPending}>
          {t("panel.save")}
        </Button>
        <Button isDisabled={isUntouched} onPress={take}>
          {t("panel.discard")}
        </Button>
        <span role="status">{edit.isSuccess && isUntouched && t("panel.saved")}</span>
      </div>
    </Form>
  );
}
