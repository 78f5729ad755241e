import { type ReactNode, useState } from "react";
import { Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";

interface ConfirmProps {
  /** What the button that opens it says. */
  readonly button: string;
  readonly title: string;
  readonly hint: ReactNode;
  readonly onConfirm: () => void;
  readonly isDisabled?: boolean;
  /** It is being done. */
  readonly isPending?: boolean;
}

/** Asks once more before something is gone. */
export function Confirm({ button, title, hint, onConfirm, isDisabled = false, isPending = false }: ConfirmProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={(isAsked) => setOpen(isAsked && !isPending)}>
      <Button className="reject" isDisabled={isDisabled} isPending={isPending}>
        {button}
      </Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <Dialog role="alertdialog" className="page">
            {({ close }) => (
              <>
                <Heading slot="title">{title}</Heading>
                {typeof hint === "string" ? <p>{hint}</p> : hint}
                <div className="buttons">
                  <Button
                    className="reject"
                    onPress={() => {
                      close();
                      onConfirm();
                    }}
                  >
                    {button}
                  </Button>
                  <Button autoFocus onPress={close}>
                    {t("form.cancel")}
                  </Button>
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}
