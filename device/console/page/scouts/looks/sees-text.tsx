import { useTranslation } from "react-i18next";
import type { ToldSees } from "../../../told.ts";
import { Said } from "../../app/said.tsx";
import { line } from "../../app/shown-text.ts";
import { polling } from "./polling.ts";

/** The one folder that every mail server has is called so in capitals (RFC 9051 §5.1). */
const inbox = "INBOX";

/** What a scout sees at its source, and how it hears of news there. */
export function SeesText({ sees }: { readonly sees: ToldSees }) {
  const { t, i18n } = useTranslation();
  const { place, folders, missing, items, unread, pollEveryMs, push, pushOff } = sees;
  const named = (names: readonly string[]) =>
    new Intl.ListFormat(i18n.language, { type: "unit" }).format(
      names.map((name) => (name === inbox ? t("sees.inbox") : line(name))),
    );
  const what = [
    ...(folders.length === 0 ? [] : [named(folders)]),
    ...(missing.length === 0 ? [] : [t("sees.missing", { folders: named(missing) })]),
  ];
  const counts = [
    ...(items === null ? [] : [t("sees.items", { count: items })]),
    ...(unread === null ? [] : [t("sees.unread", { count: unread })]),
  ];
  return (
    <ul className="plain">
      <li>
        <bdi>{line(place)}</bdi>
      </li>
      {what.map((text) => (
        <li key={text}>
          <bdi>{text}</bdi>
        </li>
      ))}
      {counts.length > 0 && <li>{counts.join(", ")}</li>}
      <li>{t(...polling(pollEveryMs))}</li>
      {push !== "never" && (
        <li>
          {t(`push.${push}`)} {push === "off" && pushOff !== null && <Said what={pushOff} />}
        </li>
      )}
    </ul>
  );
}
