import type { InferResponseType } from "hono/client";
import type { api } from "../../app/api.ts";

type Items = InferResponseType<(typeof api.scouts)[":id"]["try"]["$post"]>["trial"]["items"];

/** The items whose verdict another purpose would change, with their subjects where the source told them. */
export function changedItems(items: Items) {
  return items.flatMap(({ ref, before, after, atSource }) => {
    if (after === null || after.verdict === before.verdict) return [];
    const subject = atSource !== undefined && "subject" in atSource ? atSource.subject : "";
    return [{ ref, isProposed: after.verdict === "relevant", subject }];
  });
}
