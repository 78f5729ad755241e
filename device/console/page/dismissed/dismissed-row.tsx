import { useTranslation } from "react-i18next";
import type { Dismissed } from "../app/api.ts";
import { dateText, line, senderOf } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";

interface RowProps {
  readonly item: Dismissed;
  readonly isBusy: boolean;
  readonly onRestore: () => void;
}

/** One dismissed item, with sender and subject as its source has them now. */
export function DismissedRow({ item, isBusy, onRestore }: RowProps) {
  const { t, i18n } = useTranslation();
  const { atSource, confidence, reasonCode, triagedAt, trashedAt } = item;
  const read = atSource !== undefined && "subject" in atSource ? atSource : undefined;
  const subject = read === undefined ? t("dismissed.unread") : line(read.subject) || t("card.noSubject");
  const sure = new Intl.NumberFormat(i18n.language, { style: "percent" }).format(confidence);
  return (
    <li className="card dismissed-row">
      <div className="card-text">
        <h2 dir="auto">{subject}</h2>
        <p className="card-about">
          <bdi className="card-sender">{senderOf({ sender: read?.sender ?? null })}</bdi>
          <time dateTime={new Date(triagedAt).toISOString()}>{dateText(triagedAt, i18n.language)}</time>
          <span>{t(`why.${reasonCode}`)}</span>
          <span>{t("dismissed.sure", { sure })}</span>
          {trashedAt !== null && <span>{t("dismissed.inTrash")}</span>}
        </p>
      </div>
      <Button aria-label={t("dismissed.restoreOne", { subject })} isDisabled={isBusy} onPress={onRestore}>
        {t("dismissed.restore")}
      </Button>
    </li>
  );
}
