import type { InferResponseType } from "hono/client";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { api } from "../app/api.ts";
import { lines } from "../app/shown-text.ts";

type ItemHeader = NonNullable<InferResponseType<(typeof api.items)[":id"]["$get"]>["header"]>;

/** Where an item comes from, field by field as its source has it: what somebody looks at who doubts its sender. */
export function ItemHeaders({ header }: { readonly header: ItemHeader }) {
  const { t } = useTranslation();
  const { fields, leftOut } = header;
  return (
    <Disclosure className="item-headers">
      <Heading level={2}>
        <Button slot="trigger">{t("item.headers")}</Button>
      </Heading>
      <DisclosurePanel>
        <dl className="header-fields">
          {fields.map(({ name, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a field may stand there many times, and the list never changes
            <div key={at}>
              <dt>
                <bdi>{lines(name)}</bdi>
              </dt>
              <dd dir="auto">{lines(value)}</dd>
            </div>
          ))}
        </dl>
        {leftOut > 0 && <p className="hint">{t("item.headersLeftOut", { count: leftOut })}</p>}
      </DisclosurePanel>
    </Disclosure>
  );
}
