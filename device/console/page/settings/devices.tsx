import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { dateText } from "../app/shown-text.ts";
import { Pairs } from "../form/pairs.tsx";
import { Failed, Loading } from "../states/states.tsx";
import { KnownDevices } from "./known-devices.tsx";

/** This device, which others there are, and how a second one is made. */
export function Devices() {
  const { t, i18n } = useTranslation();
  const device = useQuery({ queryKey: ["device"], queryFn: () => answerOf(api.device.$get()) });
  return (
    <section className="panel" aria-labelledby="devices">
      <h2 id="devices">{t("settings.devices")}</h2>
      {device.isPending && <Loading />}
      {device.isError && <Failed error={device.error} onRetry={() => void device.refetch()} />}
      {device.data !== undefined && (
        <>
          <Pairs
            pairs={[
              [t("settings.thisDevice"), device.data.id],
              [t("settings.since"), dateText(device.data.createdAt, i18n.language)],
              [t("settings.home"), device.data.home],
              [t("settings.connection"), device.data.isOnline ? t("settings.online") : t("settings.offline")],
            ]}
          />
          <p>{device.data.pairing.isAnywhere ? t("settings.pairAnywhere") : t("settings.pairHere")}</p>
          {device.data.pairing.commands.map((command) => (
            <code key={command} className="code">
              {command}
            </code>
          ))}
          <p className="hint">{t("settings.devicesHint")}</p>
          <KnownDevices mayBeAnothers={device.data.pairing.isAnywhere} />
        </>
      )}
    </section>
  );
}
