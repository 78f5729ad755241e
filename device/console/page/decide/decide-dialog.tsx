import type { ReactNode } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { line } from "../app/shown-text.ts";
import "../form/form.css";
import "./decide.css";
import type { Meant } from "../inbox/decisions.ts";

export interface DialogProps {
  readonly of: Meant;
  readonly onClose: () => void;
  /** What was asked for is done, with these. */
  readonly onDone: (ids: readonly string[]) => void;
}

interface FrameProps {
  readonly title: string;
  readonly of: Meant;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog about some proposals: what it asks, and of which. */
export function DecideDialog({ title, of, onClose, children }: FrameProps) {
  const { t } = useTranslation();
  return (
    <ModalOverlay className="overlay" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="modal wide-modal">
        <Dialog className="page">
          <Heading slot="title">{title}</Heading>
          <p className="hint dialog-of" dir="auto">
            {of.subject === null
              ? t("done.several", { count: of.ids.length })
              : line(of.subject) || t("card.noSubject")}
          </p>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
