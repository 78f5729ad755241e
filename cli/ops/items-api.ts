import { askCloud, type CloudApi } from "../../device/connect/cloud-api.ts";
import type { ErrorCode } from "../../events/error-kinds.ts";
import {
  type ItemListResponse,
  itemListResponse,
  type RedriveResponse,
  redriveResponse,
  type ShownItem,
  type ShownItemStatus,
} from "../../events/http/items.ts";
import type { ItemRef, ScoutId } from "../../events/ids.ts";

/** Which items are to be judged anew. */
export type ItemSelection =
  | { readonly refs: readonly ItemRef[] }
  | { readonly code: ErrorCode }
  | { readonly all: true };

/** One person's items without a verdict, wherever they are kept. */
export interface ItemsApi {
  list(status: ShownItemStatus | undefined, scoutId: ScoutId | undefined): Promise<readonly ShownItem[]>;
  /** @returns how many are judged anew, and how many stay as they are */
  redrive(wanted: ItemSelection, scoutId: ScoutId | undefined): Promise<{ redriven: number; refused: number }>;
}

const itemsPath = "/api/v1/items";
const pageSize = 100;
/** As many as a request takes. */
const refsAtOnce = 50;

/** Those of the person a home knows us as. */
export function itemsOfHome(api: CloudApi): ItemsApi {
  return {
    async list(status, scoutId) {
      const items: ShownItem[] = [];
      const query = new URLSearchParams({ limit: String(pageSize) });
      if (status !== undefined) query.set("status", status);
      if (scoutId !== undefined) query.set("scout", scoutId);
      for (;;) {
        const page: ItemListResponse = await askCloud(api, "GET", `${itemsPath}?${query}`, itemListResponse);
        items.push(...page.items);
        if (page.nextCursor === null) return items;
        query.set("cursor", page.nextCursor);
      }
    },
    async redrive(wanted, scoutId) {
      const done = { redriven: 0, refused: 0 };
      for (const batch of batchesOf(wanted)) {
        let cursor: string | null = null;
        do {
          const body = { ...batch, scoutId, cursor: cursor ?? undefined };
          const answer: RedriveResponse = await askCloud(api, "POST", `${itemsPath}/redrive`, redriveResponse, body);
          done.redriven += answer.redriven;
          done.refused += answer.refused;
          cursor = answer.nextCursor;
        } while (cursor !== null);
      }
      return done;
    },
  };
}

function batchesOf(wanted: ItemSelection): readonly ItemSelection[] {
  if (!("refs" in wanted)) return [wanted];
  const { refs } = wanted;
  return Array.from({ length: Math.ceil(refs.length / refsAtOnce) }, (_, at) => ({
    refs: refs.slice(at * refsAtOnce, (at + 1) * refsAtOnce),
  }));
}
