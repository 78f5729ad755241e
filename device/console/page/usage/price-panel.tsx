import { useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "../form/button.tsx";
import { Problem, problemAt } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { type Price, useSetPrice } from "./queries.ts";

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
  return (
    <section className="panel" aria-labelledby="price">
      <h2 id="price">{t("usage.price")}</h2>
      <p className="hint">{t("usage.priceHint")}</p>
      <Form
        className="usage-price"
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate(isGone ? null : { perMillion: amount, currency });
        }}
      >
        <TextBox
          label={t("usage.perMillion")}
          value={amount}
          onChange={setAmount}
          problem={problemAt(set.error, "perMillion")}
        />
        <TextBox
          label={t("usage.currency")}
          value={currency}
          onChange={setCurrency}
          problem={problemAt(set.error, "currency")}
        />
        <Button type="submit" isDisabled={(isGone && price === null) || set.isPending}>
          {t("panel.save")}
        </Button>
      </Form>
      <Problem error={set.error} fields={["perMillion", "currency"]} />
    </section>
  );
}
