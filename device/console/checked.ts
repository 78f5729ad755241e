import type { ValidationTargets } from "hono";
import { validator } from "hono/validator";
import type * as z from "zod";
import { DeviceError, type DeviceErrorCode } from "../errors.ts";

/**
 * What a route is asked, parsed by a schema before the route sees it; anything else is answered with 400. The page's client is
 * typed by what the schema takes, the route by what it makes of that: an id is a text on the one side.
 *
 * @param unknown what an address is answered with that is none of anything: as one of what is not there
 */
export const checked = <const T extends keyof ValidationTargets, S extends z.ZodType>(
  target: T,
  schema: S,
  unknown?: DeviceErrorCode,
) =>
  validator<z.input<S>, string, string, T, string, (value: z.input<S>) => z.output<S>>(target, (value) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw unknown === undefined ? parsed.error : new DeviceError(unknown, { cause: parsed.error });
  });
