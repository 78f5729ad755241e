import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { type Price, useSetPrice } from "./queries.ts";

/** A number as people write it: with a point or a comma. */
const numberIn = (text: string): number => Number(text.trim().replace(",", "."));

/** What tokens cost the person; nobody else knows. */
export function PricePanel({ price }: { readonly price: Price | null }) {
  const { t, i18n } = useTranslation();
  const [amount, setAmount] = useState(
    price === null
      ? ""
      : new Intl.NumberFormat(i18n.language, { useGrouping: false, maximumFractionDigits: 10 }).format(
          price.perMillion,
        ),
  );
  const [currency, setCurrency] = useState(price?.currency ?? "EUR");
  const set = useSetPrice();
  const isGone = amount.trim() === "";
  const isGood = isGone ? price !== null : numberIn(amount) > 0 && /^[A-Za-z]{3}$/.test(currency.trim());
  return (
    <section className="panel" aria-labelledby="price">
      <h2 id="price">{t("usage.price")}</h2>
      <p className="hint">{t("usage.priceHint")}</p>
      <Form
        className="usage-price"
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate(isGone ? null : { perMillion: numberIn(amount), currency: currency.trim().toUpperCase() });
        }}
      >
        <TextBox label={t("usage.perMillion")} value={amount} onChange={setAmount} />
        <TextBox label={t("usage.currency")} value={currency} onChange={setCurrency} />
        <Button type="submit" isDisabled={!isGood || set.isPending}>
          {t("panel.save")}
        </Button>
      </Form>
      <Problem error={set.error} />
    </section>
  );
}
