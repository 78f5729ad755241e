import * as z from "zod";
import { deviceId } from "../ids.ts";

/**
 * `POST /api/v1/scouts/{id}/gmail/connect`: the device made a PKCE pair (RFC 7636) and listens on a loopback port
 * (RFC 8252 §7.3); it keeps the verifier.
 */
export const connectRequest = z.object({
  deviceId,
  codeChallenge: z.string().regex(/^[\w-]{43}$/),
  loopbackPort: z.number().int().min(1024).max(65_535),
  /** Asks for the right to move spam to Trash as well; only when the person turns that on. */
  autoTrash: z.boolean().default(false),
});
export type ConnectRequest = z.infer<typeof connectRequest>;
export const connectResponse = z.object({ consentUrl: z.url(), expiresInSeconds: z.number().int() });

/** `POST /api/v1/scouts/{id}/gmail/complete`: what the loopback port received, with the verifier. */
export const completeRequest = z.object({
  deviceId,
  state: z.string().min(1).max(1024),
  code: z.string().min(1).max(2048),
  codeVerifier: z.string().regex(/^[\w.~-]{43,128}$/),
  /** Refuses another account than the one the scout reads already. */
  sameAccount: z.boolean().default(false),
});
export type CompleteRequest = z.infer<typeof completeRequest>;
