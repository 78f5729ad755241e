import { scoutId, userId } from "../../../events/ids.ts";
import type { Item, Table } from "../../ports/table.ts";
import type { TableScan } from "../../ports/table-scan.ts";
import { isUnopenable, type RingSealer } from "../../privacy/ring-sealer.ts";
import { type SealedPart, sealingContext } from "../scout-row.ts";

/**
 * Where each sealed part of a scout is kept. A part that is added and not named here does not compile. A feed's
 * `position` is sealed anew whenever the feed is read, and is done without when its key is gone.
 */
const places: Record<Exclude<SealedPart, "position">, { readonly prefix: string; readonly attribute: string }> = {
  profile: { prefix: "SCOUT#", attribute: "sealed" },
  settings: { prefix: "SCOUT#", attribute: "sealedSettings" },
  grant: { prefix: "SCOUT#", attribute: "sealedGrant" },
  vault: { prefix: "VAULT#", attribute: "sealed" },
};
const parts = ["profile", "settings", "grant", "vault"] as const satisfies readonly (keyof typeof places)[];

export interface ResealPorts {
  readonly ledger: Table;
  readonly rows: TableScan;
  /** With the whole ring, its newest key last. */
  readonly sealer: RingSealer;
}

export interface ResealCounts {
  /** Sealed texts looked at. */
  readonly seen: number;
  /** Now under the newest key. */
  readonly resealed: number;
  /** Written by somebody else meanwhile: to be looked at again, since an environment with the old ring may have. */
  readonly moved: number;
  /** Cannot be opened with any key of the ring. */
  readonly unreadable: number;
}

export const nothingResealed: ResealCounts = { seen: 0, resealed: 0, moved: 0, unreadable: 0 };

/**
 * Seals one page of what is in the Ledger under the newest key; texts that are under it already are left alone, so it
 * may be begun anew at any time. Each is written on condition that it is still the text that was read:
 *
 *   we         read A₁ ─ seal A₂ ───────────────────── write A₂ ✗: `moved`
 *   a worker        refreshed the token: writes B
 *
 * @param start the `next` of a page
 */
export async function resealVault(ports: ResealPorts, start?: Item): Promise<ResealCounts & { readonly next?: Item }> {
  const page = await ports.rows.scan(start);
  let counts = nothingResealed;
  for (const item of page.items) counts = sumOf(counts, await resealItem(ports, item));
  return page.next ? { ...counts, next: page.next } : counts;
}

/** {@link resealVault}, page after page, to the end. */
export async function resealAll(ports: ResealPorts): Promise<ResealCounts> {
  let counts = nothingResealed;
  let start: Item | undefined;
  do {
    const { next, ...page } = await resealVault(ports, start);
    counts = sumOf(counts, page);
    start = next;
  } while (start);
  return counts;
}

async function resealItem(ports: ResealPorts, item: Item): Promise<ResealCounts> {
  let counts = nothingResealed;
  for (const part of parts) {
    const { prefix, attribute } = places[part];
    const sealed = item[attribute];
    if (!item.sk.startsWith(prefix) || typeof sealed !== "string") continue;
    const outcome = await resealText(ports, item, part, attribute, sealed);
    counts = sumOf(counts, { ...nothingResealed, seen: 1, ...(outcome === "current" ? {} : { [outcome]: 1 }) });
  }
  return counts;
}

async function resealText(
  { ledger, sealer }: ResealPorts,
  { pk, sk }: Item,
  part: SealedPart,
  attribute: string,
  sealed: string,
): Promise<"current" | "resealed" | "moved" | "unreadable"> {
  if (sealer.isCurrent(sealed)) return "current";
  const of = { userId: userId.parse(pk.slice("USER#".length)), scoutId: scoutId.parse(sk.slice(sk.indexOf("#") + 1)) };
  try {
    const fresh = await sealer.reseal(sealed, sealingContext(of, part));
    const unchanged = { path: [attribute], is: "=", value: sealed } as const;
    return (await ledger.update({ pk, sk }, { set: [[[attribute], fresh]] }, unchanged)) ? "resealed" : "moved";
  } catch (error) {
    if (isUnopenable(error)) return "unreadable";
    throw error;
  }
}

function sumOf(a: ResealCounts, b: ResealCounts): ResealCounts {
  return {
    seen: a.seen + b.seen,
    resealed: a.resealed + b.resealed,
    moved: a.moved + b.moved,
    unreadable: a.unreadable + b.unreadable,
  };
}
