import * as z from "zod";
import { scoutHealth } from "../health.ts";
import { scoutId } from "../ids.ts";
import { toldCode } from "../told-code.ts";

const reauthRequired = z.object({
  type: z.literal("scout_reauth_required"),
  scoutId,
  code: toldCode,
  since: z.number().int().nonnegative(),
});
/** Sent at hello for a scout that has something to tell: off, failing, told of nothing by its source, or with a gap. */
const health = z.object({ type: z.literal("scout_health"), health: scoutHealth });

/** What the cloud says of scouts. */
export const scoutServerFrames = [reauthRequired, health] as const;
