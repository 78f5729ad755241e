import { ScoutsError } from "../../../events/errors.ts";
import {
  type TicketResponse,
  ticketRequest,
  ticketResponse,
  type UploadsResponse,
  uploadsRequest,
  uploadsResponse,
} from "../../../events/http.ts";
import { offerUploads } from "../../../shared/devices/payloads.ts";
import { livingSession, uploadOfferMs } from "../../../shared/devices/session-row.ts";
import { issueTicket, ticketLifeSeconds } from "../../../shared/devices/ticket.ts";
import { route } from "../define-route.ts";
import type { Route } from "../route.ts";

/** Admission to the socket, one connection at a time, and room for what is too bulky for it. */
export const deviceRoutes: readonly Route[] = [
  route(
    {
      method: "POST",
      path: "/api/v1/device/tickets",
      operationId: "issueTicket",
      summary: "A ticket that opens one socket",
      tag: "Devices",
      body: ticketRequest,
      answers: [{ status: 201, description: "The ticket, and where to use it.", schema: ticketResponse }],
      errors: [],
    },
    async ({ ports, user, body }, c) => {
      const holder = { userId: user, deviceId: body.deviceId };
      const answer: TicketResponse = {
        ticket: await issueTicket(ports.ticketKey, holder, ports.clock),
        expiresInSeconds: ticketLifeSeconds,
        socketUrl: ports.socketUrl,
      };
      return c.json(answer, 201);
    },
  ),
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
      const offers = await offerUploads(ports.objects, user, session.sessionId, body.sizes);
      const uploads = offers.map(({ ref, url, fields }) => ({ ref, url, fields: { ...fields } }));
      const answer: UploadsResponse = { uploads, expiresInSeconds: uploadOfferMs / 1000 };
      return c.json(answer, 201);
    },
  ),
];
