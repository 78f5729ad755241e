import { sep } from "node:path";
import { detectSource } from "../../standins/mailbox/formats/source.ts";
import { reportTrouble } from "../../standins/report-failure.ts";

/**
 * Says of a mailbox that lies in another, or another in it, where both are read: a folder of mail in files is read with all folders within
 * it, a Maildir is not. The same mail is proposed by two scouts then, and only a person knows which of them it is for.
 *
 * @param places with links resolved, the others that are read by now
 * @param told pairs that were said
 */
export async function tellOverlap(place: string, places: readonly string[], told: Set<string>): Promise<void> {
  for (const other of places) {
    const [inner, outer] = isWithin(place, other) ? [place, other] : [other, place];
    const pair = `${inner}\n${outer}`;
    if (!isWithin(inner, outer) || told.has(pair) || !(await isReadWith(inner, outer))) continue;
    told.add(pair);
    reportTrouble(
      `${inner} lies in ${outer}, and both are looked at: the mail in it is read twice, and proposed twice. Remove the scout of one of them (scouts list, scouts remove).`,
    );
  }
}

const isWithin = (inner: string, outer: string): boolean => inner.startsWith(`${outer}${sep}`);

async function isReadWith(inner: string, outer: string): Promise<boolean> {
  try {
    const [within, around] = await Promise.all([detectSource(inner), detectSource(outer)]);
    return around.kind === "folder" && within.kind !== "maildir";
  } catch {
    // One is away: what is read of it is said by others.
    return false;
  }
}
