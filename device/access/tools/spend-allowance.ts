import { AccessError, isAccessError } from "../errors.ts";
import type { Gate } from "../policy/gate.ts";
import { policyFile } from "../policy/rules.ts";
import type { Allowance } from "../session/limits.ts";
import type { AccessSession } from "../session/session.ts";

interface Spender {
  readonly session: AccessSession;
  readonly gate: Gate;
}

/**
 * Counts what a session uses; beyond what it may use it asks or refuses, as the person has set it.
 *
 * @throws AccessError `budget_exceeded`
 */
export async function spendAllowance({ session, gate }: Spender, allowance: Allowance, amount: number): Promise<void> {
  refuseBeyondProject({ session, gate }, allowance, amount);
  if (session.wouldExceed(allowance, amount)) {
    const reason = `the session may use ${session.limits[allowance]} (${allowance}) and has used ${session.spent[allowance]}`;
    if (session.limits.whenSpent === "refuse") throw new AccessError("budget_exceeded", { detail: `${reason}.` });
    const action = `go on beyond ${allowance} ${session.spent[allowance]}`;
    try {
      await gate.put({ kind: "allowance", action, paths: [], reason, why: "allowance_spent" });
    } catch (error) {
      if (!isAccessError(error, "approval_refused")) throw error;
      const detail = `${reason}, and a person who was asked for more has not said yes.`;
      throw new AccessError("budget_exceeded", { detail }, error);
    }
    session.extend(allowance);
    if (session.wouldExceed(allowance, amount)) throw new AccessError("budget_exceeded", { detail: `${reason}.` });
  }
  session.spend(allowance, amount);
}

/** A project's own limits hold whatever a person says when asked: its file is there to be read and changed. */
function refuseBeyondProject({ session, gate }: Spender, allowance: Allowance, amount: number): void {
  const most = gate.projectLimits[allowance];
  const spent = session.spent[allowance];
  if (most === undefined || spent + amount <= most) return;
  const detail = `${policyFile} of the project lets a session use ${most} (${allowance}), and this one has used ${spent}.`;
  throw new AccessError("budget_exceeded", { detail });
}
