import {
  type DevicesResponse,
  devicesResponse,
  type TicketResponse,
  ticketRequest,
  ticketResponse,
} from "../../../events/http/device.ts";
import { ConnectionStore } from "../../../shared/devices/connection-store.ts";
import { devicesOf } from "../../../shared/devices/device-list.ts";
import { issueTicket, ticketLifeSeconds } from "../../../shared/devices/ticket.ts";
import { route } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";

/** Admission to the socket, one connection at a time; and which devices of a person use it. */
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
  route(
    {
      method: "GET",
      path: "/api/v1/devices",
      operationId: "listDevices",
      summary: "Devices that are connected, or were within two hours",
      tag: "Devices",
      answers: [{ status: 200, description: "Connected ones first.", schema: devicesResponse }],
      errors: [],
    },
    async ({ ports: { sessions, log, clock }, user }, c) => {
      const connections = new ConnectionStore(sessions);
      const answer: DevicesResponse = {
        devices: [...(await devicesOf({ sessions, connections, log }, user, clock()))],
      };
      return c.json(answer);
    },
  ),
];
