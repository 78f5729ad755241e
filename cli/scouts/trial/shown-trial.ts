import { asWord } from "../../../device/shell-words.ts";
import { errorKinds } from "../../../events/error-kinds.ts";
import type { TrialItem, TrialResponse } from "../../../events/http/trials.ts";
import { senderOf, subjectOf, unreadOf } from "../../items/at-source.ts";
import { counted } from "../../output/counted.ts";
import type { Output } from "../../output/output.ts";
import { printable } from "../../output/printable.ts";
import { table } from "../../output/table.ts";

const words = { relevant: "proposed", spam: "dismissed" } as const;

const why = ({ before, after }: TrialItem): string =>
  `${before.reasonCode} → ${after?.reasonCode ?? ""}`.replaceAll("_", " ");

/** Shows what another purpose would change. */
export function showTrial(output: Output, scout: { readonly name: string }, trial: TrialResponse): void {
  const { total, newlyProposed, newlyDismissed, unchanged, failed, tokensUsed } = trial;
  const changed = trial.items.filter(({ before, after }) => after !== null && after.verdict !== before.verdict);
  if (changed.length > 0) {
    table(output, changed, [
      {
        title: "BEFORE → AFTER",
        cell: ({ before, after }) => `${words[before.verdict]} → ${words[after?.verdict ?? before.verdict]}`,
      },
      { title: "WHY", cell: why, least: 12 },
      { title: "SURE", cell: ({ after }) => `${Math.round((after?.confidence ?? 0) * 100)}%` },
      { title: "FROM", cell: senderOf, least: 10 },
      { title: "SUBJECT", cell: subjectOf, fills: true },
      { title: "REF", cell: ({ ref }) => ref },
    ]);
    for (const line of unreadOf(changed)) output.line(output.style("yellow", line));
  }
  output.line(
    `${counted(total, "item")} looked at: ${newlyProposed} newly proposed, ${newlyDismissed} newly dismissed, ${unchanged} as before.`,
  );
  const codes = trial.items.flatMap(({ code }) => (code === null ? [] : [code]));
  for (const [code, { length }] of Map.groupBy(codes, (each) => each)) {
    output.line(
      output.style("yellow", `${counted(length, "item")} not judged: ${errorKinds[code].sentence} (${code})`),
    );
  }
  const keep = failed < total ? ` To keep the purpose: scouts edit ${printable(asWord(scout.name))} --purpose "…"` : "";
  output.line(output.style("dim", `${counted(tokensUsed, "token")} used. Nothing has changed yet.${keep}`));
}
