import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "../form/button.tsx";
import { Problem, problemAt } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { useTypedText } from "../form/use-typed.ts";
import { type Price, useSetPrice } from "./queries.ts";

/** What tokens cost the person; nobody else knows. */
export function PricePanel({ price }: { readonly price: Price | null }) {
  const { t, i18n } = useTranslation();
  const { value: amount, ...amountBox } = useTypedText(
    "price",
    price === null
      ? ""
      : new Intl.NumberFormat(i18n.language, { useGrouping: false, maximumFractionDigits: 10 }).format(
          price.perMillion,
        ),
  );
  const { value: currency, ...currencyBox } = useTypedText("price, currency", price?.currency ?? "EUR");
  const set = useSetPrice([t("usage.price")], (asked) => {
    amountBox.sent(asked?.perMillion ?? "");
    currencyBox.sent(asked?.currency ?? currency);
  });
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
          onChange={amountBox.type}
          problem={problemAt(set.error, "perMillion")}
        />
        <TextBox
          label={t("usage.currency")}
          value={currency}
          onChange={currencyBox.type}
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
