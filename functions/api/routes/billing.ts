import { type QuotaCheckResponse, quotaCheckRequest, quotaCheckResponse } from "../../../events/http/usage.ts";
import { checkFolderQuota } from "../../../shared/billing/quota.ts";
import { route } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";

export const billingRoutes: readonly Route<ApiPorts>[] = [
  route(
    {
      method: "POST",
      path: "/api/v1/billing/quota/check",
      operationId: "checkQuota",
      summary: "Whether a folder of that size may be scanned this month",
      tag: "Billing",
      body: quotaCheckRequest,
      answers: [{ status: 200, description: "It may, as things stand.", schema: quotaCheckResponse }],
      errors: ["folder_max_files", "folder_monthly_tokens"],
    },
    async ({ ports, user, body }, c) => {
      const estimated = { files: body.estimated_files, tokens: body.estimated_tokens };
      const { tier, maxFiles, monthlyTokens, committed, resetsAt } = await checkFolderQuota(ports, user, estimated);
      const answer: QuotaCheckResponse = {
        tier,
        maxFiles: maxFiles ?? null,
        monthlyTokens: monthlyTokens ?? null,
        used: committed,
        resetsAt,
      };
      return c.json(answer);
    },
  ),
];
