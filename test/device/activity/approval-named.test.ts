import { expect, onTestFinished, test } from "vitest";
import { openActivityStore } from "../../../device/activity/activity-store.ts";
import { approvalNamed } from "../../../device/activity/approval-named.ts";
import { temporaryFolder } from "../../access/setting.ts";

const question = {
  ...({ kind: "write", why: "rule", action: "write a.md", paths: ["a.md"], reason: "a rule" } as const),
  ...{ tool: "write_file", caller: "mcp:test/1" },
};

/** A table whose questions have the ids given, in this order. */
function asking(...ids: string[]) {
  const left = [...ids];
  const { approvals, close } = openActivityStore(temporaryFolder(), { now: () => 1, newId: () => left.shift() ?? "" });
  onTestFinished(close);
  for (const _ of ids) onTestFinished(approvals.ask("/garden", question).release);
  return approvals;
}

test("a question is named by its id, or by a beginning that fits no other", () => {
  const approvals = asking("01M8AAAA", "01M8BBBB");

  expect(approvalNamed(approvals, "apr_01M8AAAA")).toMatchObject({ id: "apr_01M8AAAA" });
  expect(approvalNamed(approvals, "apr_01M8B")).toMatchObject({ id: "apr_01M8BBBB" });
});

test("a beginning that fits several says yes to none and names them, those that wait first", () => {
  const approvals = asking("01M8AAAA", "01M8BBBB");
  approvals.end("apr_01M8BBBB", "refused", "command");

  const naming = () => approvalNamed(approvals, "apr_01M8");

  expect(naming).toThrow(/Several questions .* apr_01M8AAAA \(write a\.md\), apr_01M8BBBB \(write a\.md, refused\)/);
});

test.each(["apr_", "apr_01M", "", "apr_01M9", "%", "apr_01M8____"])("%j names no question", (named) => {
  const approvals = asking("01M8AAAA");

  expect(() => approvalNamed(approvals, named)).toThrow(expect.objectContaining({ code: "approval_unknown" }));
});
