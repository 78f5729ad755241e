import { type TicketResponse, ticketRequest } from "../../events/http.ts";
import { issueTicket, ticketLifeSeconds } from "../../shared/devices/ticket.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { secretKey } from "../compose/secret-key.ts";
import { linked } from "../environment.ts";
import { bodyOf, newApp, personOf } from "./app.ts";

/** Admission to the socket, one connection at a time. */
export const tickets = newApp().post("/", async (c) => {
  const { deviceId } = bodyOf(ticketRequest, await c.req.json().catch(() => undefined));
  const holder = { userId: personOf(c.env.event), deviceId };
  const answer: TicketResponse = {
    ticket: await issueTicket(secretKey("TicketKey"), holder, systemClock),
    expiresInSeconds: ticketLifeSeconds,
    socketUrl: linked("DeviceSocket").url,
  };
  return c.json(answer, 201);
});
