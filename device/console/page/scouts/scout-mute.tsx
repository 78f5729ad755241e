import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { type Scout, useChange } from "./queries.ts";

/** Senders that are not heard. Who they are is kept nowhere: they can be counted, and named again to be heard. */
export function ScoutMute({ scout }: { readonly scout: Scout }) {
  const { t } = useTranslation();
  const [address, setAddress] = useState("");
  const { id, mutedSenders } = scout;
  const mute = useChange(
    (muted: boolean) => answerOf(api.scouts[":id"].mute.$post({ param: { id }, json: { address, muted } })),
    () => setAddress(""),
  );
  return (
    <section className="panel" aria-labelledby="mute">
      <h2 id="mute">{t("mute.title")}</h2>
      <p>{t("mute.count", { count: mutedSenders })}</p>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          mute.mutate(true);
        }}
      >
        <TextBox label={t("mute.address")} hint={t("mute.hint")} value={address} onChange={setAddress} />
        <Problem error={mute.error} />
        <div className="buttons">
          <Button type="submit" isDisabled={address.trim() === "" || mute.isPending}>
            {t("mute.mute")}
          </Button>
          <Button isDisabled={address.trim() === "" || mute.isPending} onPress={() => mute.mutate(false)}>
            {t("mute.hear")}
          </Button>
        </div>
      </Form>
    </section>
  );
}
