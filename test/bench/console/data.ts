import { scoutId as scoutIdSchema } from "../../../events/ids.ts";
import type { Proposal } from "../../../events/proposals/proposal.ts";
import { inbox } from "../../console/console-home.ts";
import { makeProposal } from "../../device/fake-cloud.ts";

const words = (
  "quarterly invoice lunch meeting Élodie crêpes arches delivery parcel water garden tomorrow signature answer " +
  "Vertrag Rechnung morgen réunion facture demain reunión factura mañana consegna domani"
).split(" ");

/** Words for a number: the same each time, other ones for another number. */
function text(n: number, characters: number): string {
  const found: string[] = [];
  for (let at = n; found.join(" ").length < characters; at += 1) found.push(words[(at * 7_919) % words.length] ?? "");
  return found.join(" ").slice(0, characters);
}

const scoutIdOf = (n: number) => scoutIdSchema.parse(`sct_01JD${String(n).padStart(22, "0")}`);

export const scoutsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...inbox, id: scoutIdOf(n), name: `Scout ${n}` }));

/** Proposals as large as real ones, spread over scouts and reasons. */
export function proposalsOf(count: number, scouts: number): Proposal[] {
  return Array.from({ length: count }, (_, n) => {
    const scoutId = scoutIdOf(n % scouts);
    return makeProposal(n, {
      id: `${scoutId}.msg-${n}` as Proposal["id"],
      scoutId,
      rawSubject: `${text(n, 60)} ${n}`,
      rawSnippet: text(n + 3, 300),
      reason: text(n + 9, 120),
      reasonCode: n % 3 === 0 ? "calendar" : "personal",
      triagedAt: 1_700_000_000_000 + n * 60_000,
      metadata: {
        sender: { name: text(n, 20), address: `a${n}@example.org` },
        sentAt: 1_700_000_000_000 + n * 60_000,
        relation: "to",
        automatic: false,
        attachments: [],
      },
    });
  });
}
