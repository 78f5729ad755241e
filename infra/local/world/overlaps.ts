import { sep } from "node:path";
import { detectSource } from "../../standins/mailbox/formats/source.ts";

/** A mailbox that lies in another, where both are read; with links resolved. */
export interface Overlap {
  readonly inner: string;
  readonly outer: string;
}

/**
 * Mailboxes that lie in others, where both are read: a folder of mail in files is read with all folders within it, a Maildir is not. The
 * same mail is proposed by two scouts then, and only a person knows which of them it is for.
 *
 * @param places with links resolved, of all that are read by now
 */
export async function overlapsOf(places: readonly string[]): Promise<Overlap[]> {
  const found: Overlap[] = [];
  for (const outer of places) {
    for (const inner of places) {
      if (inner.startsWith(`${outer}${sep}`) && (await isReadWith(inner, outer))) found.push({ inner, outer });
    }
  }
  return found;
}

/** What is said of one, once, where the home runs. */
export const overlapText = ({ inner, outer }: Overlap): string =>
  `${inner} lies in ${outer}, and both are looked at: the mail in it is read twice, and proposed twice. Remove the scout of one of them (scouts list, scouts remove).`;

async function isReadWith(inner: string, outer: string): Promise<boolean> {
  try {
    const [within, around] = await Promise.all([detectSource(inner), detectSource(outer)]);
    return around.kind === "folder" && within.kind !== "maildir";
  } catch {
    // One is away: what is read of it is said by others.
    return false;
  }
}
