import { type UsageResponse, usageResponse } from "../../../events/http/usage.ts";
import { readUsage } from "../../../shared/billing/usage.ts";
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
      answers: [{ status: 200, description: "The month so far.", schema: usageResponse }],
      errors: [],
    },
    async ({ ports, user }, c) => {
      const { features, ...month } = await readUsage(ports, user);
      const answer: UsageResponse = {
        ...month,
        features: features.map(({ limit, within, ...counts }) => ({
          ...counts,
          limit: limit ?? null,
          within: [...within],
        })),
      };
      return c.json(answer);
    },
  ),
];
