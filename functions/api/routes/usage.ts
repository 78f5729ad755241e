import { type UsageResponse, usageQuery, usageResponse } from "../../../events/http/usage.ts";
import { type PastMonth, readPastUsage, readUsage } from "../../../shared/billing/usage.ts";
import { route } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";

export const usageRoutes: readonly Route<ApiPorts>[] = [
  route(
    {
      method: "GET",
      path: "/api/v1/usage",
      operationId: "getUsage",
      summary: "Tokens of the month, by feature and by what they went into",
      tag: "Billing",
      query: usageQuery,
      answers: [{ status: 200, description: "The month so far, and months before it.", schema: usageResponse }],
      errors: [],
    },
    async ({ ports, user, query: { months } }, c) => {
      const { tier, features, damaged, ...month } = await readUsage(ports, user);
      const past = await readPastUsage(ports, user, months - 1);
      const answer: UsageResponse = {
        tier: tier ?? "unknown",
        ...month,
        features: features.map(({ limit, within, ...counts }) => ({
          ...counts,
          limit: limit ?? null,
          within: [...within],
        })),
        ...(damaged.length > 0 && { damaged: [...damaged] }),
        ...(months > 1 && { past: past.map(pastMonth) }),
      };
      return c.json(answer);
    },
  ),
];

const pastMonth = ({ month, features, damaged }: PastMonth): NonNullable<UsageResponse["past"]>[number] => ({
  month,
  features: features.map(({ within, ...counts }) => ({ ...counts, within: [...within] })),
  ...(damaged.length > 0 && { damaged: [...damaged] }),
});
