import { ScoutsError } from "../../../events/errors.ts";
import { startTrialRequest, trialQuery, trialResponse } from "../../../events/http/trials.ts";
import { trialId } from "../../../events/ids.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { showTrial } from "../../../shared/scouts/trial/show-trial.ts";
import { startTrial } from "../../../shared/scouts/trial/start-trial.ts";
import { route } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";
import { notAtWork } from "../source-codes.ts";
import { scoutOf } from "./scouts.ts";

const trialsPath = "/api/v1/scouts/{id}/trials";

/** What another purpose would change, before it is kept: judged over the queue, beside the scout. */
export const trialRoutes: readonly Route<ApiPorts>[] = [
  route(
    {
      method: "POST",
      path: trialsPath,
      operationId: "startTrial",
      summary: "Have a scout's newest verdicts asked for again by another purpose; nothing of the scout changes",
      tag: "Scouts",
      body: startTrialRequest,
      answers: [
        { status: 202, description: "It runs, since now or before: ask how it stands.", schema: trialResponse },
      ],
      errors: ["scout_not_found", ...notAtWork, "trial_without_items", "trial_unknown", "queue_unavailable"],
    },
    async (call, c) => {
      const { ports, body } = call;
      const scout = await scoutOf(call);
      await startTrial(ports, scout, { ...body, purpose: new Transient(body.purpose) });
      return c.json(await showTrial(ports, scout, body.trialId, false), 202);
    },
  ),
  route(
    {
      method: "GET",
      path: `${trialsPath}/{trial}`,
      operationId: "getTrial",
      summary: "How a trial stands: what would newly be proposed or dismissed, and the tokens it took",
      tag: "Scouts",
      query: trialQuery,
      answers: [
        {
          status: 200,
          description: "Ids, codes and counts; with `source=read`, sender and subject of what would change.",
          schema: trialResponse,
        },
      ],
      errors: ["scout_not_found", "trial_unknown"],
    },
    async (call, c) => {
      const trial = trialId.safeParse(call.param("trial"));
      if (!trial.success) throw new ScoutsError("trial_unknown");
      return c.json(await showTrial(call.ports, await scoutOf(call), trial.data, call.query.source === "read"));
    },
  ),
];
