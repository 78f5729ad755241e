import type { DatabaseSync } from "node:sqlite";
import { type Filter, passagesThrough } from "../search/index/query-filter.ts";

/** Passages that any question is compared with to see what nearness is common here. */
const sampled = 256;
/** Something stands out when it is so far on the way from the common nearness to the best there is. */
const leastShare = 0.6;

/**
 * The passages nearest to a vector by the angle between them, with how far they stand out, best first. Which nearness says
 * something differs from model to model (0.3 of one, 0.8 of another), so it is measured: against passages all over the index.
 */
export function nearestPassages(
  connection: DatabaseSync,
  vector: Uint8Array,
  filter: Filter,
  limit: number,
): { readonly id: number; readonly score: number }[] {
  const from = filter.sql === "" ? "" : `AND v.id IN (${passagesThrough(filter)})`;
  const near = connection
    .prepare(
      `SELECT v.id, vec_distance_cosine(vec_int8(v.vector), vec_int8(?)) AS distance FROM vectors v WHERE v.vector IS NOT NULL ${from} ORDER BY distance LIMIT ?`,
    )
    .all(vector, ...filter.values, limit)
    .map(({ id, distance }) => ({ id: Number(id), distance: Number(distance) }));
  const [best] = near;
  if (best === undefined) return [];
  const common = Math.max(commonDistance(connection, vector) ?? best.distance, best.distance);
  // Of passages that are all equally near none stands out: they are all there is.
  if (common === best.distance) return near.map(({ id }) => ({ id, score: 1 }));
  return near
    .map(({ id, distance }) => ({ id, share: (common - distance) / (common - best.distance) }))
    .filter(({ share }) => share >= leastShare)
    .map(({ id, share }) => ({ id, score: share - leastShare + 1e-6 }));
}

/** The mean over passages at equal steps through the index. */
function commonDistance(connection: DatabaseSync, vector: Uint8Array): number | undefined {
  const mean = connection
    .prepare(
      `WITH RECURSIVE last(id) AS (SELECT max(id) FROM vectors),
        place(id) AS (SELECT 1 UNION ALL SELECT place.id + max(1, last.id / ?) FROM place, last WHERE place.id < last.id)
      SELECT avg(vec_distance_cosine(vec_int8(v.vector), vec_int8(?))) AS mean
      FROM place JOIN vectors v ON v.id = place.id WHERE v.vector IS NOT NULL`,
    )
    .get(sampled, vector)?.["mean"];
  return typeof mean === "number" ? mean : undefined;
}
