import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answerOf, api, type Dismissed } from "../app/api.ts";
import { dateText, senderOf } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { useDeed } from "../form/use-deed.ts";
import { ItemText } from "../item/item-text.tsx";
import { useSubject } from "./use-subject.ts";

interface RowProps {
  readonly item: Dismissed;
  /** As of a proposal. */
  readonly id: string;
  /** It is on its way to the inbox, and in the list until that is asked for again. */
  readonly onRestored: () => void;
}

/** One dismissed item, with sender and subject as its source has them now; and its text, for whoever wants to be sure. */
export function DismissedRow({ item, id, onRestored }: RowProps) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const subject = useSubject()(item);
  const restore = useDeed({
    called: [t("dismissed.restore"), subject],
    mutationFn: () => answerOf(api.dismissed[":id"].restore.$post({ param: { id } })),
    onSuccess: () => {
      onRestored();
      return client.invalidateQueries({ queryKey: ["dismissed"] });
    },
  });
  const [isOpen, setOpen] = useState(false);
  const { atSource, confidence, reasonCode, triagedAt, trashedAt, writtenAt } = item;
  const read = atSource !== undefined && "subject" in atSource ? atSource : undefined;
  const sure = new Intl.NumberFormat(i18n.language, { style: "percent" }).format(confidence);
  return (
    <li className="card dismissed-row">
      <div className="card-text">
        <h2 dir="auto">{subject}</h2>
        <p className="card-about">
          <bdi className="card-sender">{senderOf({ sender: read?.sender ?? null })}</bdi>
          {read !== undefined && (
            <time dateTime={new Date(writtenAt).toISOString()}>{dateText(writtenAt, i18n.language)}</time>
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
          isDisabled={restore.isPending}
          onPress={() => restore.mutate()}
        >
          {t("dismissed.restore")}
        </Button>
      </div>
      {(isOpen || restore.isError) && (
        <div className="dismissed-text">
          <Problem error={restore.error} />
          {isOpen && <ItemText id={id} />}
        </div>
      )}
    </li>
  );
}
