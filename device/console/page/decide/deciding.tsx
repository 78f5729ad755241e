import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { answerOf, api, type Proposal } from "../app/api.ts";
import { copyText } from "../form/copy.ts";
import { decideAll, type EachOf, snoozeAll } from "../inbox/bulk.ts";
import { type Meant, meant, type Outcome, undoSeveral, useDecisions } from "../inbox/decisions.ts";
import { ActionMenu, type MenuAction } from "./action-menu.tsx";
import { AssignDialog } from "./assign-dialog.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { SnoozeDialog } from "./snooze-dialog.tsx";

/** What is asked for in a dialog. */
export type Question = "edit" | "snooze" | "assign" | "merge";

interface Asked {
  readonly question: Question;
  readonly of: Meant;
}

interface MenuOf {
  readonly proposal: Proposal;
  readonly button: RefObject<Element | null>;
}

interface DecidingOptions {
  /** Something was done with proposals in a dialog, and the dialog is closed. */
  readonly onDone?: (ids: readonly string[]) => void;
  /** Those of a conversation or of a sender were chosen, the newest of `total`; without it that is not offered. */
  readonly onAlike?: (ids: readonly string[], total: number) => void;
}

export interface Deciding {
  /** Opens what is done with a proposal beside approving and rejecting it, at the button that was pressed. */
  openMenu(proposal: Proposal, button: Element): void;
  ask(question: Question, proposals: Meant): void;
  /** Shows again now what is snoozed. */
  wake(of: Meant): void;
  /** Decides several at once. */
  decideMany(of: Meant, outcome: Outcome): void;
  /** Whether a dialog or a menu is open. */
  readonly isOpen: boolean;
  readonly dialogs: ReactNode;
}

/** No proposal is another than it was. */
const nothing: EachOf = { proposals: [], refused: [] };

/** What a person can do with proposals, wherever they stand: the menu, the dialogs, and several at once. */
export function useDeciding({ onDone, onAlike }: DecidingOptions): Deciding {
  const { perform, performMany } = useDecisions();
  const [asked, setAsked] = useState<Asked>();
  const [menu, setMenu] = useState<MenuOf>();
  const button = useRef<Element | null>(null);
  /** Where the focus goes back to: what a menu had opened would be looked for in that menu, which is gone. */
  const opener = useRef<Element | null>(null);
  /** The dialog that is open. One that was closed before the device had answered ends no other one, and leads nowhere. */
  const open = useRef<Asked>(undefined);
  useEffect(() => {
    open.current = asked;
    return () => {
      open.current = undefined;
    };
  }, [asked]);
  const close = () => setAsked(undefined);
  const done = (ids: readonly string[]) => {
    if (open.current !== asked) return;
    // Where something was done, whoever shows the proposals knows what is next.
    if (ids.length > 0) opener.current = null;
    close();
    onDone?.(ids);
  };
  const ask = (question: Question, of: Meant) => setAsked({ question, of });
  useEffect(() => {
    if (asked !== undefined || menu !== undefined) return;
    const { current: back } = opener;
    opener.current = null;
    if (back instanceof HTMLElement && back.isConnected) back.focus();
  }, [asked, menu]);

  async function alike(proposal: Proposal, by: "thread" | "sender"): Promise<void> {
    const param = { id: proposal.id };
    const asked = answerOf(api.proposals[":id"].alike.$post({ param, json: { by } }));
    const found = await asked.catch(() => undefined);
    if (found !== undefined) return onAlike?.(found.ids, found.total);
    // What went wrong is said where it is said of everything that is done.
    const kept = asked.then(() => nothing);
    void perform({ ...meant([proposal]), what: "chosen", kept, undo: undefined }, kept);
  }

  const wake = (of: Meant) =>
    performMany(of, { what: "woken", undo: undefined }, (steps) => snoozeAll(of.ids, null, steps));

  const onMenu = (action: MenuAction, proposal: Proposal) => {
    const one = meant([proposal]);
    const { id } = proposal;
    if (action === "edit" || action === "snooze" || action === "assign" || action === "merge") {
      opener.current = button.current;
      ask(action, one);
    } else if (action === "thread" || action === "sender") void alike(proposal, action);
    else if (action === "wake") wake(one);
    else if (action === "copy") {
      const kept = copyText(proposal.reply).then(() => nothing);
      void perform({ ...one, what: "copied", kept, undo: undefined }, kept);
    } else {
      const mute = (muted: boolean) => answerOf(api.proposals[":id"].muted.$put({ param: { id }, json: { muted } }));
      const kept = mute(true).then(() => nothing);
      void perform(
        {
          ids: [id],
          subject: proposal.sender?.address ?? "",
          what: "muted",
          kept,
          undo: () => mute(false).then(() => ({ ...nothing, what: "heard" })),
        },
        kept,
      );
    }
  };

  const dialog = { of: asked?.of ?? { ids: [], subject: null }, onClose: close, onDone: done };
  return {
    openMenu(proposal, at) {
      button.current = at;
      setMenu({ proposal, button });
    },
    ask,
    wake,
    decideMany(of, outcome) {
      performMany(of, { what: outcome, undo: undoSeveral }, (steps) => decideAll(of.ids, outcome, steps));
    },
    isOpen: asked !== undefined || menu !== undefined,
    dialogs: (
      <>
        {menu !== undefined && (
          <ActionMenu
            proposal={menu.proposal}
            button={menu.button}
            hasAlike={onAlike !== undefined}
            onAction={onMenu}
            onClose={() => setMenu(undefined)}
          />
        )}
        {asked?.question === "edit" && <EditDialog {...dialog} />}
        {asked?.question === "snooze" && <SnoozeDialog {...dialog} />}
        {asked?.question === "assign" && <AssignDialog {...dialog} />}
        {asked?.question === "merge" && <MergeDialog {...dialog} />}
      </>
    ),
  };
}
