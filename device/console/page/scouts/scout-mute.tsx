import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Problem, problemAtOnly } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { useTypedText } from "../form/use-typed.ts";
import { type Scout, useChange } from "./queries.ts";

/** Senders that are not heard. Who they are is kept nowhere: they can be counted, and named again to be heard. */
export function ScoutMute({ scout }: { readonly scout: Scout }) {
  const { t } = useTranslation();
  const { id, mutedSenders } = scout;
  const { value: address, type, sent } = useTypedText(`mute.address ${id}`);
  const mute = useChange(
    (asked) => [t(asked.muted ? "mute.mute" : "mute.hear"), asked.address],
    (json: { readonly address: string; readonly muted: boolean }) =>
      answerOf(api.scouts[":id"].mute.$post({ param: { id }, json })),
    (_, asked) => sent(asked.address),
  );
  return (
    <section className="panel" aria-labelledby="mute">
      <h2 id="mute">{t("mute.title")}</h2>
      <p>{t("mute.count", { count: mutedSenders })}</p>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          mute.mutate({ address, muted: true });
        }}
      >
        <TextBox
          label={t("mute.address")}
          hint={t("mute.hint")}
          value={address}
          problem={problemAtOnly(mute.error)}
          onChange={type}
        />
        <Problem error={mute.error} isOfOneField />
        <div className="buttons">
          <Button type="submit" isDisabled={address.trim() === "" || mute.isPending}>
            {t("mute.mute")}
          </Button>
          <Button
            isDisabled={address.trim() === "" || mute.isPending}
            onPress={() => mute.mutate({ address, muted: false })}
          >
            {t("mute.hear")}
          </Button>
        </div>
        <p role="status">
          {mute.isSuccess &&
            t(mute.variables.muted ? "mute.muted" : "mute.heard", { address: line(mute.variables.address) })}
        </p>
      </Form>
    </section>
  );
}
