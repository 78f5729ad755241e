import * as z from "zod";
import { errorCodes } from "./errors.ts";
import { deviceId, scoutId } from "./ids.ts";
import { sourceSettings } from "./sources.ts";

const timestamp = z.number().int().nonnegative();

/** The one shape of an error body. */
export const errorBody = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    requestId: z.string(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** `POST /api/v1/device/tickets` */
export const ticketRequest = z.object({ deviceId });
export const ticketResponse = z.object({ ticket: z.string(), expiresInSeconds: z.number().int(), socketUrl: z.url() });
export type TicketResponse = z.infer<typeof ticketResponse>;

/** `POST /api/v1/scouts` */
export const createScoutRequest = z.object({
  sourceType: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/),
  settings: sourceSettings.optional(),
  name: z.string().trim().min(1).max(80),
  purpose: z.string().trim().min(1).max(500),
});
export type CreateScoutRequest = z.infer<typeof createScoutRequest>;

/** A scout as its owner sees it. Name and purpose are opened from the vault for this answer only. */
export const scoutResponse = z.object({
  id: scoutId,
  sourceType: z.string(),
  name: z.string(),
  purpose: z.string(),
  connected: z.boolean(),
  disabledCode: z.enum(errorCodes).nullable(),
  createdAt: timestamp,
  lastRunAt: timestamp.nullable(),
  nextRunAt: timestamp.nullable(),
});
export type ScoutResponse = z.infer<typeof scoutResponse>;

export const scoutListResponse = z.object({ scouts: z.array(scoutResponse) });

/**
 * `POST /api/v1/scouts/{id}/gmail/connect`: the device made a PKCE pair (RFC 7636) and listens on a loopback port
 * (RFC 8252 §7.3); it keeps the verifier.
 */
export const connectRequest = z.object({
  deviceId,
  codeChallenge: z.string().regex(/^[\w-]{43}$/),
  loopbackPort: z.number().int().min(1024).max(65_535),
});
export type ConnectRequest = z.infer<typeof connectRequest>;
export const connectResponse = z.object({ consentUrl: z.url(), expiresInSeconds: z.number().int() });

/** `POST /api/v1/scouts/{id}/gmail/complete`: what the loopback port received, with the verifier. */
export const completeRequest = z.object({
  deviceId,
  state: z.string().min(1).max(1024),
  code: z.string().min(1).max(2048),
  codeVerifier: z.string().regex(/^[\w.~-]{43,128}$/),
});
export type CompleteRequest = z.infer<typeof completeRequest>;
