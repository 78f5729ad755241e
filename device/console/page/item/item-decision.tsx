import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { useKeys } from "../app/keys.ts";
import { type Deciding, useDeciding } from "../decide/deciding.tsx";
import { becameOf, closedBecause, snoozedUntil, wayBack } from "../decide/state-of.ts";
import { momentText } from "../decide/when-text.ts";
import { meant, type Outcome, useDecisions } from "../inbox/decisions.ts";
import { listLeft } from "../inbox/list-left.ts";
import { useGo } from "../routes/go.ts";
import { Became } from "./became.tsx";
import { Conflict } from "./conflict.tsx";

/** What an item's person has made of it, and what they can do. */
export function ItemDecision({ proposal }: { readonly proposal: Proposal }) {
  const { t, i18n } = useTranslation();
  const go = useGo();
  const { decide, undo } = useDecisions();
  const deciding = useDeciding({ onDone: (ids) => ids.length > 0 && void go(listLeft()) });
  const isOpen = proposal.status === "pending";
  const untilMs = snoozedUntil(proposal, Date.now());
  const why = closedBecause(proposal);
  const one = meant([proposal]);
  const settle = (outcome: Outcome) => {
    if (!isOpen) return;
    decide(proposal, outcome);
    void go(listLeft());
  };
  useKeys({
    a: () => settle("approved"),
    r: () => settle("rejected"),
    e: () => isOpen && deciding.ask("edit", one),
    s: () => isOpen && deciding.ask("snooze", one),
    u: () => void undo(),
  });
  return (
    <>
      {!isOpen && (
        <p className="item-status">
          {t(`status.${proposal.status}`)} {why !== undefined && t(why)}
        </p>
      )}
      {untilMs !== undefined && (
        <p className="item-status">{t("item.snoozed", { when: momentText(untilMs, i18n.language) })}</p>
      )}
      <Became proposal={proposal} />
      {proposal.isInConflict && <Conflict proposal={proposal} />}
      {isOpen ? (
        <div className="card-actions">
          <Button className="approve" onPress={() => settle("approved")}>
            {t("card.approve")}
          </Button>
          <Button className="reject" onPress={() => settle("rejected")}>
            {t("card.reject")}
          </Button>
          <Button onPress={() => deciding.ask("edit", one)}>{t("deed.edit")}</Button>
          <Button onPress={() => deciding.ask("snooze", one)}>{t("deed.snooze")}</Button>
          {untilMs !== undefined && <Button onPress={() => deciding.wake(one)}>{t("deed.wake")}</Button>}
          <More proposal={proposal} onOpen={deciding.openMenu} />
        </div>
      ) : (
        <Return proposal={proposal} deciding={deciding} />
      )}
      {deciding.dialogs}
    </>
  );
}

interface ReturnProps {
  readonly proposal: Proposal;
  readonly deciding: Deciding;
}

/** How something that is decided can be decided otherwise. */
function Return({ proposal, deciding }: ReturnProps) {
  const { t } = useTranslation();
  const { undecide, reopen } = useDecisions();
  const way = wayBack(proposal);
  const isMade = way === "undo" && becameOf(proposal) !== undefined;
  if (way === undefined && proposal.status !== "approved") return null;
  return (
    <>
      <div className="card-actions">
        {way === "undo" && <Button onPress={() => undecide(proposal)}>{t("done.undo")}</Button>}
        {(way === "reopen" || isMade) && <Button onPress={() => reopen(proposal)}>{t("deed.reopen")}</Button>}
        {proposal.status === "approved" && (
          <Button onPress={() => deciding.ask("edit", meant([proposal]))}>{t("draft.convert")}</Button>
        )}
      </div>
      {isMade && <p className="hint">{t("item.undoHint")}</p>}
    </>
  );
}

interface MoreProps {
  readonly proposal: Proposal;
  readonly onOpen: Deciding["openMenu"];
}

function More({ proposal, onOpen }: MoreProps) {
  const { t } = useTranslation();
  return (
    <button type="button" onClick={({ currentTarget }) => onOpen(proposal, currentTarget)}>
      {t("deed.more")}
    </button>
  );
}
