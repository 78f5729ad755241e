import { useTranslation } from "react-i18next";
import type { Told } from "../../told.ts";
import { WithCode } from "../states/with-code.tsx";
import { ApiError } from "./api.ts";
import { line } from "./shown-text.ts";

/** A text, and its language where that is not the page's. */
export interface SaidText {
  readonly text: string;
  readonly lang: "en" | undefined;
}

/** What the page says itself: the device has said nothing. */
const ownWords: Readonly<Record<string, "device.silent" | "device.foreign" | "state.copyRefused">> = {
  device_away: "device.silent",
  answer_foreign: "device.foreign",
  copy_refused: "state.copyRefused",
};

/**
 * Says codes and failures in the person's language: by the code's exact sentence, else by its own; in English, which the
 * device says itself, where the page has no words for it.
 */
export function useSaid(): (what: Told | Error) => SaidText {
  const { t, i18n } = useTranslation();
  return (what) => {
    const told = what instanceof Error ? toldBy(what) : what;
    const own = ownWords[told.code];
    if (own !== undefined) return { text: t(own), lang: undefined };
    const keys = [told.about === undefined ? [] : [`${told.code}_${told.about}`], told.code].flat();
    const key = keys.find((each) => i18n.getResource(i18n.language, "errors", each) !== undefined);
    if (key !== undefined) return { text: line(t(key, { ns: "errors", ...told.values })), lang: undefined };
    return { text: line(told.message), lang: i18n.language === "en" ? undefined : "en" };
  };
}

const toldBy = (error: Error): Told =>
  error instanceof ApiError ? error.told : { code: "internal", message: error.message };

/** A class of what says why a page, or a part of it, could not be had: of a device that is away that stands above all of them (parts.css). */
export const awayPart = (error: Error): string | undefined =>
  toldBy(error).code === "device_away" ? "away-part" : undefined;

/** What a code or a failure says: from left to right, as each language of the page is read, whatever name it begins with. */
export function Said({ what }: { readonly what: Told | Error }) {
  const { text, lang } = useSaid()(what);
  return (
    <bdi lang={lang} dir="ltr">
      <WithCode text={text} />
    </bdi>
  );
}
