import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Dismissed } from "../app/api.ts";
import { dateText, senderOf } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { ItemText } from "../item/item-text.tsx";
import { useSubject } from "./use-subject.ts";

interface RowProps {
  readonly item: Dismissed;
  /** As of a proposal. */
  readonly id: string;
  readonly isBusy: boolean;
  readonly onRestore: () => void;
}

/** One dismissed item, with sender and subject as its source has them now; and its text, for whoever wants to be sure. */
export function DismissedRow({ item, id, isBusy, onRestore }: RowProps) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const subject = useSubject()(item);
  const { atSource, confidence, reasonCode, triagedAt, trashedAt } = item;
  const read = atSource !== undefined && "subject" in atSource ? atSource : undefined;
  const sure = new Intl.NumberFormat(i18n.language, { style: "percent" }).format(confidence);
  return (
    <li className="card dismissed-row">
      <div className="card-text">
        <h2 dir="auto">{subject}</h2>
        <p className="card-about">
          <bdi className="card-sender">{senderOf({ sender: read?.sender ?? null })}</bdi>
          {read !== undefined && (
            <time dateTime={new Date(read.receivedAt).toISOString()}>{dateText(read.receivedAt, i18n.language)}</time>
          )}
          <span>{t(`why.${reasonCode}`)}</span>
          <span>{t("dismissed.sure", { sure })}</span>
          <span>{t("dismissed.judged", { at: dateText(triagedAt, i18n.language) })}</span>
          {trashedAt !== null && <span>{t("dismissed.inTrash")}</span>}
        </p>
      </div>
      <div className="card-actions">
        <Button
          aria-label={t("dismissed.lookOne", { subject })}
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          {t("dismissed.look")}
        </Button>
        <Button
          className="restore"
          aria-label={t("dismissed.restoreOne", { subject })}
          isDisabled={isBusy}
          onPress={onRestore}
        >
          {t("dismissed.restore")}
        </Button>
      </div>
      {isOpen && (
        <div className="dismissed-text">
          <ItemText id={id} />
        </div>
      )}
    </li>
  );
}
