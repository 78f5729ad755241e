import { useTranslation } from "react-i18next";
import { ApiError } from "../app/api.ts";

/** What went wrong with what was just tried, in the words of the command line. */
export function Problem({ error }: { readonly error: Error | null }) {
  const { t } = useTranslation();
  if (error === null) return null;
  const isAway = (error instanceof ApiError && error.code === "device_away") || error.message === "";
  return (
    <p className="problem" role="alert" lang={isAway ? undefined : "en"}>
      {isAway ? t("device.away") : error.message}
    </p>
  );
}
