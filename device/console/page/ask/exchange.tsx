import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { AskEnd, AskStep } from "../../ask/contract.ts";
import { Said } from "../app/said.tsx";
import { line, lines } from "../app/shown-text.ts";
import { PlaceButton } from "../place/place-button.tsx";
import { chargeText } from "../usage/charge-text.ts";
import { usePlaceNames } from "./place-names.ts";
import { Steps } from "./steps.tsx";

interface ExchangeProps {
  readonly question: string;
  readonly answer: string;
  readonly steps?: readonly AskStep[] | undefined;
  readonly end?: AskEnd | null | undefined;
  /** Of an answer of another tab or time, where only names are known. */
  readonly files?: readonly string[] | undefined;
  readonly projectId?: string | null | undefined;
}

/** A question and what was answered; text, whatever stands in it. */
export function Exchange({ question, answer, steps, end, files = [], projectId }: ExchangeProps) {
  const { t, i18n } = useTranslation();
  return (
    <article className="ask-exchange">
      <h2 dir="auto" className="ask-question">
        {lines(question)}
      </h2>
      {answer !== "" && <div className="ask-answer">{lines(answer)}</div>}
      {end?.isCut && <p className="notice">{t("ask.cut")}</p>}
      {end?.notAllRead.map(({ projectId: id, name, isScanning }) => (
        <p key={id} className="notice">
          {t(isScanning ? "ask.notAllReadNow" : "ask.notAllRead", { project: line(name) })}
        </p>
      ))}
      {end && end.attachments.length > 0 && <Attached attachments={end.attachments} />}
      {end && <Evidence end={end} />}
      {steps !== undefined && steps.length > 0 && <Steps steps={steps} />}
      {steps === undefined && files.length > 0 && (
        <p className="hint">
          {t("ask.read")}{" "}
          {files.slice(0, 50).map((path) => (
            <span key={path} className="ask-file">
              {projectId ? (
                <PlaceButton place={{ projectId, path, line: 1 }}>
                  <bdi>{line(path)}</bdi>
                </PlaceButton>
              ) : (
                <bdi>{line(path)}</bdi>
              )}
            </span>
          ))}
        </p>
      )}
      {end && end.tokens > 0 && (
        <p className="hint">
          {t("ask.tokens", { count: end.tokens })}
          {end.charge !== null && <> · {chargeText(end.charge, i18n.language)}</>}
        </p>
      )}
    </article>
  );
}

/** What was attached, what of it is missing, and what could not be. */
function Attached({ attachments }: Pick<AskEnd, "attachments">) {
  const { t } = useTranslation();
  const had = attachments.filter(({ outcome }) => outcome !== "refused");
  return (
    <>
      {had.length > 0 && (
        <p className="hint">
          {t("ask.attached")}{" "}
          {had.map(({ name, isCut }) => (
            <span key={name} className="ask-file">
              <bdi>{line(name)}</bdi>
              {isCut && <> {t("ask.attachedCut")}</>}
            </span>
          ))}
        </p>
      )}
      {attachments.map(
        ({ name, outcome, code = "internal", sentence = "" }) =>
          outcome === "refused" && (
            <p key={name} className="notice">
              {t("ask.notAttached")} <bdi>{line(name)}</bdi> <Said what={{ code, message: sentence }} />
            </p>
          ),
      )}
    </>
  );
}

/** What the answer quotes, and where that stands; what it quotes and nobody has written. */
function Evidence({ end: { evidence } }: { readonly end: AskEnd }) {
  const { t } = useTranslation();
  const { quotes, quotesMissing, messages } = evidence;
  const nameOf = usePlaceNames(quotes.flatMap(({ place }) => (place?.kind === "file" ? [place] : [])));
  return (
    <>
      {quotes.length > 0 && (
        <section aria-label={t("ask.quotes")}>
          <h3>{t("ask.quotes")}</h3>
          <ul className="ask-quotes">
            {quotes.map(({ text, place }) => (
              <li key={text}>
                <q dir="auto">{line(text)}</q>{" "}
                {place?.kind === "file" && (
                  <PlaceButton place={place}>
                    <bdi>{nameOf(place)}</bdi>
                  </PlaceButton>
                )}
                {place?.kind === "message" && (
                  <Link to="/items/$id" params={{ id: place.id }}>
                    <bdi>{line(place.subject) || t("card.noSubject")}</bdi>
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {messages.length > 0 && (
        <p>
          {t("ask.messages")}{" "}
          {messages.slice(0, 20).map(({ id, subject, sender }) => (
            <span key={id} className="ask-file">
              <Link to="/items/$id" params={{ id }}>
                <bdi>{line(subject) || t("card.noSubject")}</bdi>
              </Link>{" "}
              <bdi>{line(sender)}</bdi>
            </span>
          ))}
        </p>
      )}
      {quotesMissing.length > 0 && (
        <div className="notice">
          <p>{t("ask.missing", { count: quotesMissing.length })}</p>
          <ul className="ask-quotes">
            {quotesMissing.slice(0, 20).map((text) => (
              <li key={text}>
                <q dir="auto">{line(text)}</q>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
