import type { RefObject } from "react";
import { Menu, MenuItem, Popover } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import "./decide.css";
import { snoozedUntil } from "./state-of.ts";

const actions = ["edit", "snooze", "wake", "assign", "merge", "copy", "mute", "thread", "sender"] as const;
export type MenuAction = (typeof actions)[number];

interface MenuProps {
  readonly proposal: Proposal;
  readonly button: RefObject<Element | null>;
  /** Whether all of a conversation or a sender can be chosen. */
  readonly hasAlike: boolean;
  readonly onAction: (action: MenuAction, proposal: Proposal) => void;
  readonly onClose: () => void;
}

/** What can be done with a proposal: what it has nothing for is not offered. */
export function ActionMenu({ proposal, button, hasAlike, onAction, onClose }: MenuProps) {
  const { t } = useTranslation();
  const address = proposal.sender?.address ?? "";
  const isThere: Record<MenuAction, boolean> = {
    edit: true,
    snooze: true,
    wake: snoozedUntil(proposal, Date.now()) !== undefined,
    assign: true,
    merge: true,
    copy: proposal.reply !== "",
    mute: address !== "",
    thread: hasAlike && proposal.threadRef !== null,
    sender: hasAlike && address !== "",
  };
  const subject = line(proposal.rawSubject ?? "") || t("card.noSubject");
  return (
    <Popover triggerRef={button} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} className="choice-list">
      <Menu
        aria-label={t("card.moreOne", { subject })}
        className="menu"
        autoFocus="first"
        onClose={onClose}
        onAction={(key) => {
          const action = actions.find((each) => each === key);
          if (action !== undefined) onAction(action, proposal);
        }}
      >
        {actions
          .filter((action) => isThere[action])
          .map((action) => (
            <MenuItem key={action} id={action} textValue={t(`deed.${action}`)}>
              {t(`deed.${action}`)}
            </MenuItem>
          ))}
      </Menu>
    </Popover>
  );
}
