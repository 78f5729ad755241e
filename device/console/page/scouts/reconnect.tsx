import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ConsentWait } from "../add/consent-wait.tsx";
import { askedAgain, atSetting, fieldsOf, type SettingValues, settingsFrom } from "../add/setting-fields.ts";
import { SettingsForm } from "../add/settings-form.tsx";
import { answerOf, api } from "../app/api.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { Failed, Loading } from "../states/states.tsx";
import { type Connecting, type Scout, useChange, useKinds } from "./queries.ts";

/** Gives a scout its source again: by a consent, or with a secret that is typed anew. */
export function Reconnect({ scout, onDone }: { readonly scout: Scout; readonly onDone: () => void }) {
  const { t } = useTranslation();
  const kinds = useKinds();
  const [values, setValues] = useState<SettingValues>({});
  const [asked, setAsked] = useState<Extract<Connecting, { status: "asked" }>>();
  const kind = kinds.data?.kinds.find(({ source }) => source === scout.sourceType);
  const fields = kind === undefined ? [] : askedAgain(fieldsOf(kind));
  const settle = (connecting: Connecting) => {
    setValues({});
    if (connecting.status === "asked") setAsked(connecting);
    else onDone();
  };
  const reconnect = useChange(
    [t("scout.reconnect"), scout.name],
    () =>
      answerOf(
        api.scouts[":id"].reconnect.$post({
          param: { id: scout.id },
          json: { settings: settingsFrom(fields, values) },
        }),
      ),
    settle,
  );
  const error = atSetting(reconnect.error, fields);
  return (
    <section className="panel" aria-labelledby="reconnect">
      <h2 id="reconnect">{t("reconnect.title")}</h2>
      {kinds.isPending ? (
        <Loading />
      ) : kinds.isError ? (
        // Without them nobody knows whether a password is to be asked for.
        <Failed error={kinds.error} onRetry={() => void kinds.refetch()} />
      ) : asked === undefined ? (
        <Form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            reconnect.mutate(undefined);
          }}
        >
          <p className="hint">{fields.length > 0 ? t("reconnect.secretHint") : t("reconnect.hint")}</p>
          <SettingsForm fields={fields} values={values} error={error} onChange={setValues} />
          <Problem error={error} fields={fields.map(({ name }) => name)} />
          <Button type="submit" className="primary" isDisabled={reconnect.isPending}>
            {reconnect.isPending ? t("add.checking") : t("scout.reconnect")}
          </Button>
        </Form>
      ) : (
        <ConsentWait asked={asked} onDone={onDone} onCancel={() => setAsked(undefined)} />
      )}
    </section>
  );
}
