import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { dateText } from "../app/shown-text.ts";
import { Pairs } from "../form/pairs.tsx";
import { Failed, Loading } from "../states/states.tsx";
import "./known-devices.css";

/** The person's devices as the home knows them. @param mayBeAnothers whether somebody else can be signed in as this person */
export function KnownDevices({ mayBeAnothers }: { readonly mayBeAnothers: boolean }) {
  const { t, i18n } = useTranslation();
  const known = useQuery({ queryKey: ["devices"], queryFn: () => answerOf(api.devices.$get()) });
  return (
    <section className="known-devices" aria-labelledby="known-devices">
      <h3 id="known-devices">{t("settings.lately")}</h3>
      {known.isPending && <Loading />}
      {known.isError && <Failed error={known.error} onRetry={() => void known.refetch()} />}
      {known.data?.devices.length === 0 && <p>{t("settings.noDevice")}</p>}
      {known.data !== undefined && (
        <Pairs
          pairs={known.data.devices.map(({ deviceId, isThisOne, isConnected, seenAt }) => [
            isThisOne ? t("settings.thisOne") : deviceId,
            isConnected ? t("settings.online") : t("settings.away", { when: dateText(seenAt, i18n.language) }),
          ])}
        />
      )}
      {mayBeAnothers && <p className="hint">{t("settings.notYours")}</p>}
    </section>
  );
}
