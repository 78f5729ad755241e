import { severalCalled } from "../errors/several-called.ts";
import { DeviceError } from "../errors.ts";
import { shortestPrefix } from "../store/find-proposal.ts";
import type { Approval, ApprovalTable } from "./approval-table.ts";

const ofEvery = "apr_";

/**
 * What a person names at a terminal: by its id, or by the beginning of it when that is enough to tell it. Those that have ended
 * count as well: a beginning that told one a minute ago must not say yes to another that has come since.
 *
 * @throws DeviceError `approval_unknown`, `usage` when several are meant
 */
export function approvalNamed(approvals: ApprovalTable, named: string): Approval {
  const exact = approvals.find(named);
  if (exact !== undefined) return exact;
  const meant = named.length < ofEvery.length + shortestPrefix ? [] : approvals.beginning(named);
  if (meant.length > 1) throw severalCalled("questions", named, meant.map(told));
  const [only] = meant;
  if (only === undefined) throw new DeviceError("approval_unknown", { data: { id: named } });
  return only;
}

const told = ({ id, action, state }: Approval) => ({ id, title: state === "waiting" ? action : `${action}, ${state}` });
