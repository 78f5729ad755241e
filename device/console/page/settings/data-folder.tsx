import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { looksElsewhere } from "../app/late.ts";
import { line, sizeText } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Pairs } from "../form/pairs.tsx";
import { Failed, Loading } from "../states/states.tsx";

/** Where everything lies, and how much room there is. */
export function DataFolder() {
  const { t, i18n } = useTranslation();
  const data = useQuery({
    queryKey: ["data"],
    queryFn: () => answerOf(api.data.$get()),
    staleTime: 0,
    meta: looksElsewhere,
  });
  return (
    <section className="panel" aria-labelledby="data">
      <h2 id="data">{t("settings.data")}</h2>
      {data.isPending && <Loading />}
      {data.isError && <Failed error={data.error} onRetry={() => void data.refetch()} />}
      {data.data !== undefined && (
        <Pairs
          pairs={[
            [t("settings.where"), <bdi key="path">{line(data.data.path)}</bdi>],
            [t("settings.size"), sizeText(data.data.bytes, i18n.language)],
            [t("settings.free"), sizeText(data.data.freeBytes, i18n.language)],
          ]}
        />
      )}
      <div className="buttons">
        <Button isDisabled={data.isFetching} onPress={() => void data.refetch()}>
          {t("settings.measure")}
        </Button>
      </div>
    </section>
  );
}
