import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog, DialogTrigger, Heading, ListBox, ListBoxItem, Modal, ModalOverlay } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import "./folder-picker.css";
import { answerOf, api } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { OnOff } from "./on-off.tsx";
import { Problem } from "./problem.tsx";

interface PickerProps {
  /** What is typed already: where to begin, if it is a whole path. */
  readonly from: string;
  readonly onChoose: (path: string) => void;
}

/** Goes through the folders of this machine, for a path that one would have to type otherwise. */
export function FolderPicker({ from, onChoose }: PickerProps) {
  const { t } = useTranslation();
  return (
    <DialogTrigger>
      <Button>{t("picker.open")}</Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <Dialog className="page">
            {({ close }) => (
              <Folders
                from={from}
                onCancel={close}
                onChoose={(path) => {
                  onChoose(path);
                  close();
                }}
              />
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

/** The entry that leads up; no name of a folder holds a slash. */
const up = "/up";

function Folders({ from, onCancel, onChoose }: PickerProps & { readonly onCancel: () => void }) {
  const { t } = useTranslation();
  const [at, setAt] = useState(from.trim());
  const [isHidden, setHidden] = useState(false);
  const place = useQuery({
    queryKey: ["places", at],
    queryFn: () => answerOf(api.places.$post({ json: at === "" ? {} : { path: at } })),
    gcTime: 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const here = place.data;
  const shown = here?.folders.filter((folder) => isHidden || !folder.isHidden) ?? [];
  return (
    <>
      <Heading slot="title">{t("picker.title")}</Heading>
      {place.isError && (
        <>
          <Problem error={place.error} />
          <Button onPress={() => setAt("")}>{t("picker.home")}</Button>
        </>
      )}
      {here !== undefined && !place.isError && (
        <>
          <p className="picker-path">
            <bdi>{line(here.path)}</bdi>
          </p>
          <ListBox
            key={here.path}
            className="picker-list"
            aria-label={t("picker.list")}
            autoFocus="first"
            selectionMode="none"
            onAction={(key) => setAt(key === up ? (here.parent ?? "") : String(key))}
            renderEmptyState={() => <p className="hint">{t("picker.empty")}</p>}
          >
            {here.parent !== null && (
              <ListBoxItem id={up} textValue={t("picker.up")}>
                <span aria-hidden="true">↑ </span>
                {t("picker.up")}
              </ListBoxItem>
            )}
            {shown.map(({ name, path, isHidden: isSetAside }) => (
              <ListBoxItem key={path} id={path} textValue={line(name)} className={isSetAside ? "picker-hidden" : ""}>
                <bdi>{line(name)}</bdi>
              </ListBoxItem>
            ))}
          </ListBox>
          {here.hasMore && <p className="hint">{t("picker.more")}</p>}
          <OnOff label={t("picker.hidden")} isOn={isHidden} onChange={setHidden} />
        </>
      )}
      <div className="buttons">
        <Button
          className="primary"
          isDisabled={here === undefined || place.isError || !here.isChoosable}
          onPress={() => here !== undefined && onChoose(here.path)}
        >
          {t("picker.choose")}
        </Button>
        <Button onPress={onCancel}>{t("form.cancel")}</Button>
      </div>
    </>
  );
}
