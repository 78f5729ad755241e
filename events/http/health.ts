import * as z from "zod";
import { toldCode } from "../told-code.ts";

/** `GET /health`: `?deep` looks at more than the tables. */
export const healthQuery = z.object({ deep: z.string().max(8).optional() });
export const healthResponse = z.object({
  status: z.enum(["ok", "failing"]),
  checks: z.array(
    z.object({
      name: z.enum(["tables", "queues", "vault_key_ring", "session_key_ring", "model"]),
      ok: z.boolean(),
      /** Why not. */
      code: toldCode.optional(),
      /** Since when, where that is known; milliseconds since the epoch. */
      since: z.number().int().nonnegative().optional(),
    }),
  ),
});
export type HealthResponse = z.infer<typeof healthResponse>;
