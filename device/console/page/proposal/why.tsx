import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { quotedLine } from "./quoted-line.ts";

interface WhyProps {
  readonly proposal: Pick<Proposal, "reason" | "reasonCode">;
  /** All that the model has said, and not the line alone that it quotes. */
  readonly isWhole?: boolean;
}

/**
 * Why a proposal is there. A model says it in English, whatever the page speaks: in another language the words of its reason code come
 * first, and what it quotes, or has said, after them.
 */
export function Why({ proposal: { reason, reasonCode }, isWhole = false }: WhyProps) {
  const { t, i18n } = useTranslation();
  const key = `why.${reasonCode}`;
  // A home that is newer than this page may know others.
  const words = i18n.exists(key) ? t(key) : "";
  if (reason === null) return words;
  if (i18n.language === "en" || words === "") return <bdi>{line(reason)}</bdi>;
  const quote = isWhole ? undefined : quotedLine(reason);
  return (
    <>
      {words}:{" "}
      {quote === undefined ? (
        <bdi>{line(reason)}</bdi>
      ) : (
        // In the quotation marks of the page's language.
        <q>
          <bdi>{line(quote)}</bdi>
        </q>
      )}
    </>
  );
}
