import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "./place.css";
import { line, lines } from "../app/shown-text.ts";
import { Failed, Loading } from "../states/states.tsx";
import { type Place, useTextAt } from "./use-text-at.ts";

/** A line of a page that is one line of a file: a longer one is data, and slow to lay out. */
const longestLine = 2_000;

interface PlaceButtonProps {
  readonly place: Place;
  readonly children: ReactNode;
}

/** Opens a file at a line, as a model is shown it. */
export function PlaceButton({ place, children }: PlaceButtonProps) {
  return (
    <DialogTrigger>
      <Button className="place-button">{children}</Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal place-modal">
          <Dialog className="page">{({ close }) => <TextAt place={place} close={close} />}</Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

function TextAt({ place, close }: { readonly place: Place; readonly close: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useTextAt(place);
  return (
    <>
      <Heading slot="title" className="place-title">
        <bdi>{line(place.path)}</bdi> <span>{t("place.line", { line: place.line })}</span>
      </Heading>
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      {data !== undefined && (
        <>
          <p className="hint">
            <bdi>{line(data.project)}</bdi> · {t(data.isExtracted ? "place.extracted" : "place.asShown")}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
          <section className="place-lines" aria-label={t("place.lines")} tabIndex={0}>
            {numbered(data).map(({ number, text }) => (
              <Line key={number} number={number} text={text} isIt={number === place.line} />
            ))}
          </section>
        </>
      )}
      <div className="buttons">
        {data !== undefined && data.number !== null && (
          <Link
            to="/projects/$id/files/$file"
            params={{ id: place.projectId, file: String(data.number) }}
            className="link-button"
          >
            {t("place.whole")}
          </Link>
        )}
        <Button autoFocus onPress={close}>
          {t("done.close")}
        </Button>
      </div>
    </>
  );
}

function Line({ number, text, isIt }: { readonly number: number; readonly text: string; readonly isIt: boolean }) {
  const shown = lines(text.slice(0, longestLine).toWellFormed());
  return (
    <div
      className={isIt ? "place-line place-it" : "place-line"}
      ref={isIt ? (element) => element?.scrollIntoView({ block: "center" }) : undefined}
    >
      <span className="place-number">{number}</span>
      {isIt ? <mark dir="auto">{shown}</mark> : <span dir="auto">{shown}</span>}
    </div>
  );
}

const numbered = ({ firstLine, lines: texts }: { readonly firstLine: number; readonly lines: readonly string[] }) =>
  texts.map((text, at) => ({ number: firstLine + at, text }));
