import { completeRequest, connectRequest, connectResponse } from "../../../events/http/consent.ts";
import { completeConnection } from "../../../shared/scouts/connectors/gmail/connect.ts";
import { beginConsent, consentLifeSeconds, readState } from "../../../shared/scouts/connectors/gmail/consent.ts";
import { notifyRecovered } from "../../../shared/scouts/lifecycle/notify-recovered.ts";
import { openRoute, route } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";
import { idOf, scoutOf } from "./scouts.ts";

export const gmailCallbackPath = "/api/v1/scouts/gmail/callback";
const gmailPath = "/api/v1/scouts/{id}/gmail";

export const gmailRoutes: readonly Route<ApiPorts>[] = [
  /**
   * Google's redirect. It only passes code and state on to the loopback port named in the signed state (RFC 8252 §7.3);
   * what they are worth is decided when the device posts them with its own token.
   */
  openRoute(
    {
      method: "GET",
      path: gmailCallbackPath,
      operationId: "gmailCallback",
      summary: "Where Google sends the person back to",
      tag: "Gmail",
      answers: [{ status: 302, description: "On to the device's loopback port." }],
      errors: ["consent_invalid"],
    },
    async (c, ports) => {
      const { state = "", code, error } = c.req.query();
      const { port } = await readState(ports().gmail, state);
      const target = new URL(`http://127.0.0.1:${port}/`);
      target.searchParams.set("state", state);
      if (code !== undefined) target.searchParams.set("code", code);
      if (error !== undefined) target.searchParams.set("error", error);
      return c.redirect(target.href);
    },
  ),
  route(
    {
      method: "POST",
      path: `${gmailPath}/connect`,
      operationId: "connectGmail",
      summary: "Begin a consent: the page to show the person",
      tag: "Gmail",
      body: connectRequest,
      answers: [{ status: 200, description: "Google's consent page for this scout.", schema: connectResponse }],
      errors: ["scout_not_found"],
    },
    async (call, c) => {
      const row = await scoutOf(call);
      const consentUrl = await beginConsent(call.ports.gmail, call.user, row.scoutId, call.body);
      return c.json({ consentUrl, expiresInSeconds: consentLifeSeconds });
    },
  ),
  route(
    {
      method: "POST",
      path: `${gmailPath}/complete`,
      operationId: "completeGmail",
      summary: "End a consent with what the loopback port received",
      tag: "Gmail",
      body: completeRequest,
      answers: [{ status: 204, description: "The scout is connected." }],
      errors: [
        "scout_not_found",
        "scout_deleting",
        "consent_invalid",
        "consent_incomplete",
        "source_in_use",
        "source_account_other",
        "source_forbidden",
        "source_rate_limited",
        "source_unavailable",
        "conflict",
      ],
    },
    async ({ ports, user, param, body }, c) => {
      const scout = idOf(param("id"));
      await completeConnection(ports.gmail, user, scout, body);
      await notifyRecovered(ports, await ports.scouts.get(user, scout));
      return c.body(null, 204);
    },
  ),
];
