import { type TicketResponse, ticketRequest, ticketResponse } from "../../../events/http/device.ts";
import { issueTicket, ticketLifeSeconds } from "../../../shared/devices/ticket.ts";
import { route } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";

/** Admission to the socket, one connection at a time. */
export const deviceRoutes: readonly Route<ApiPorts>[] = [
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
        ticket: await issueTicket(ports.ticketKey, holder, ports.clock, ports.newId),
        expiresInSeconds: ticketLifeSeconds,
        socketUrl: ports.socketUrl,
      };
      return c.json(answer, 201);
    },
  ),
];
