import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { ActivityStore } from "../../device/activity/activity-store.ts";
import type { Approval } from "../../device/activity/approval-table.ts";
import { age } from "../../device/age.ts";
import { DeviceError } from "../../device/errors.ts";
import { noDataYet } from "../../device/store/open.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { printableCode } from "../output/printable-code.ts";

/** `scouts approvals …`: what programs ask before they go on, answered from another terminal than theirs. */
export function addApprovals(program: Command, context: CliContext): void {
  const group = program
    .command("approvals")
    .description("what programs that work on your files ask you for: list, show, approve, refuse");
  withCommonOptions(group.command("list").description("what waits for an answer, the oldest first")).action(
    (flags: CommonOptions) =>
      withActivity(context, flags, ({ approvals }, output) => {
        const waiting = approvals.waiting();
        if (flags.json) return output.json(waiting.map(({ diff: _, ...approval }) => approval));
        if (waiting.length === 0) output.line("Nothing waits for an answer.");
        for (const approval of waiting) output.line(lineOf(approval, context.now()));
      }),
  );
  const show = group.command("show").description("show what is asked for, with what would change");
  withCommonOptions(show.argument("<approval>", "its id, or how it begins")).action(
    (named: string, flags: CommonOptions) =>
      withActivity(context, flags, async ({ approvals }, output) => {
        const { approvalNamed } = await import("../../device/activity/approval-named.ts");
        const found = approvalNamed(approvals, named);
        if (flags.json) return output.json(found);
        output.line(lineOf(found, context.now()));
        output.line(output.style("dim", printable(`It is asked because ${found.reason}.`)));
        if (found.diff !== null) output.line(printableCode(found.diff));
        if (found.diffLeftOut > 0)
          output.line(`${found.diffLeftOut} more characters are not shown; say no if they matter.`);
      }),
  );
  const decide = (name: string, description: string, isApproved: boolean) => {
    const command = group.command(name).description(description);
    withCommonOptions(command.argument("<approval>", "its id, or how it begins")).action(
      (named: string, flags: CommonOptions) =>
        withActivity(context, flags, async ({ approvals }, output) => {
          const [{ approvalNamed }, { decideApproval }] = await Promise.all([
            import("../../device/activity/approval-named.ts"),
            import("../../device/activity/decide-approval.ts"),
          ]);
          const { id } = approvalNamed(approvals, named);
          const { action } = decideApproval(approvals, id, isApproved, "command");
          if (flags.json) output.json({ id, state: isApproved ? "approved" : "refused" });
          else output.line(printable(`${isApproved ? "Approved" : "Refused"}: ${action}`));
        }),
    );
  };
  decide("approve", "let it happen, once", true);
  decide("refuse", "say no", false);
}

function lineOf({ id, caller, action, root, askedAt, state }: Approval, nowMs: number): string {
  const about = printable(`${caller} may ${action}, in ${root}`);
  return `${id}  ${age(askedAt, nowMs)}  ${state === "waiting" ? "" : `(${state}) `}${about}`;
}

async function withActivity(
  context: CliContext,
  flags: CommonOptions,
  work: (activity: ActivityStore, output: Output) => void | Promise<void>,
): Promise<void> {
  const dataFolder = dataFolderOf(context, flags);
  if (!existsSync(dataFolder)) throw new DeviceError("store_missing", { sentence: noDataYet(dataFolder) });
  const { openActivityStore } = await import("../../device/activity/activity-store.ts");
  const activity = openActivityStore(dataFolder, context);
  try {
    await work(activity, outputOn(context.io));
  } finally {
    activity.close();
  }
}
