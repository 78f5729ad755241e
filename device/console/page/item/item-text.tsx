import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import "./item.css";
import { ApiError, answerOf, api } from "../app/api.ts";
import { Said } from "../app/said.tsx";
import { lines } from "../app/shown-text.ts";
import { Failed, Loading } from "../states/states.tsx";
import { ItemHeaders } from "./item-headers.tsx";

/** Text nodes only, whatever a mail holds. It leaves memory with the page. */
export function ItemText({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const text = useQuery({
    queryKey: ["item", id],
    queryFn: () => answerOf(api.items[":id"].$get({ param: { id } })),
    gcTime: 0,
  });
  if (text.isPending) return <Loading />;
  if (text.error instanceof ApiError && text.error.told.code === "item_unknown") {
    return (
      <p className="hint">
        <Said what={text.error} />
      </p>
    );
  }
  if (text.isError) return <Failed error={text.error} onRetry={() => void text.refetch()} />;
  return (
    <>
      <div className="item-text" dir="auto">
        {lines(text.data.text).trim() || t("item.noText")}
      </div>
      {text.data.header !== null && <ItemHeaders header={text.data.header} />}
    </>
  );
}
