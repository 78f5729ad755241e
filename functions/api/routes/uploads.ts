import { ScoutsError } from "../../../events/errors.ts";
import { type UploadsResponse, uploadsRequest, uploadsResponse } from "../../../events/http/device.ts";
import { chargeUploads, offerUploads } from "../../../shared/devices/payloads.ts";
import { livingSession, uploadOfferMs } from "../../../shared/devices/session-row.ts";
import type { Clock, NewId } from "../../../shared/ports/clock.ts";
import type { Objects } from "../../../shared/ports/objects.ts";
import type { Table } from "../../../shared/ports/table.ts";
import type { RateLimit } from "../../../shared/requests/rate-limit.ts";
import { routesOn } from "../define-route.ts";
import type { Route } from "../route.ts";

export interface UploadPorts {
  readonly rate: RateLimit;
  /** Of `uploadRate`. */
  readonly uploads: RateLimit;
  readonly sessions: Table;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly newId: NewId;
}

const route = routesOn<UploadPorts>();

/** Room for what is too bulky for a frame. */
export const uploadRoutes: readonly Route<UploadPorts>[] = [
  route(
    {
      method: "POST",
      path: "/api/v1/uploads",
      operationId: "offerUploads",
      summary: "Room for sealed objects that frames may then name",
      tag: "Devices",
      body: uploadsRequest,
      answers: [
        { status: 201, description: "A presigned POST for each, in the given order.", schema: uploadsResponse },
      ],
      errors: ["session_unknown"],
    },
    async ({ ports, user, body }, c) => {
      const session = await livingSession(ports.sessions, user, body.deviceId, ports.clock());
      if (!session) throw new ScoutsError("session_unknown");
      await chargeUploads(ports.uploads, user, body.sizes);
      const offers = await offerUploads(ports.objects, user, session.sessionId, body.sizes, ports.newId);
      const uploads = offers.map(({ ref, url, fields }) => ({ ref, url, fields: { ...fields } }));
      const answer: UploadsResponse = { uploads, expiresInSeconds: uploadOfferMs / 1000 };
      return c.json(answer, 201);
    },
  ),
];
