import type { ReactNode } from "react";
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useTranslation } from "react-i18next";

interface ConfirmProps {
  /** What the button that opens it says. */
  readonly button: string;
  readonly title: string;
  readonly hint: ReactNode;
  readonly onConfirm: () => void;
  readonly isDisabled?: boolean;
}

/** Asks once more before something is gone. */
export function Confirm({ button, title, hint, onConfirm, isDisabled = false }: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <DialogTrigger>
      <Button className="reject" isDisabled={isDisabled}>
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
