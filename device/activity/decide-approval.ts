import { DeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import type { Approval, ApprovalPlace, ApprovalTable } from "./approval-table.ts";

/**
 * Says yes or no to what a program asks: in the console and at a terminal.
 *
 * @throws DeviceError `approval_unknown`; `approval_ended` with how: it was answered elsewhere, nobody answered in time, or the
 * program that asked is gone
 */
export function decideApproval(approvals: ApprovalTable, id: string, isApproved: boolean, by: ApprovalPlace): Approval {
  const found = approvals.find(id);
  if (found === undefined) throw new DeviceError("approval_unknown", { data: { id } });
  if (!approvals.end(id, isApproved ? "approved" : "refused", by)) {
    const { state = "withdrawn" } = approvals.find(id) ?? {};
    throw exactError("approval_ended", state === "waiting" ? "withdrawn" : state);
  }
  return found;
}
