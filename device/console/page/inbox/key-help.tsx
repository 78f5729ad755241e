import { Button, Dialog, Heading, Modal, ModalOverlay, Switch } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { useKeysSetting } from "../app/keys.ts";

/** Each key of the inbox, and its text. */
export const ofInbox = [
  ["j", "keys.j"],
  ["k", "keys.k"],
  ["o", "keys.o"],
  ["a", "keys.a"],
  ["r", "keys.r"],
  ["e", "keys.e"],
  ["s", "keys.s"],
  ["x", "keys.x"],
  ["u Ctrl+Z", "keys.u"],
  ["F6", "keys.notice"],
  ["/", "keys.search"],
  ["?", "keys.help"],
] as const;

interface HelpProps {
  /** Each key of a page, and its text; the inbox's when left out. */
  readonly keys?: readonly (readonly [key: string, text: string])[];
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
}

/** Which keys do what, and the switch that turns them off. */
export function KeyHelp({ keys = ofInbox, isOpen, onChange }: HelpProps) {
  const { t } = useTranslation();
  const [isOn, setOn] = useKeysSetting();
  return (
    <ModalOverlay className="overlay" isDismissable isOpen={isOpen} onOpenChange={onChange}>
      <Modal className="modal">
        <Dialog>
          <Heading slot="title">{t("keys.title")}</Heading>
          <dl className="keys">
            {keys.map(([key, text]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{t(text)}</dd>
              </div>
            ))}
          </dl>
          <Switch className="switch" isSelected={isOn} onChange={setOn}>
            <span className="switch-track" aria-hidden="true" />
            {t("keys.setting")}
          </Switch>
          <Button slot="close">{t("done.close")}</Button>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
