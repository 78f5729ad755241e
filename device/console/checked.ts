import type { ValidationTargets } from "hono";
import { validator } from "hono/validator";
import type * as z from "zod";

/** What a route is asked, parsed by a schema before the route sees it; anything else is answered with 400. */
export const checked = <const T extends keyof ValidationTargets, S extends z.ZodType>(target: T, schema: S) =>
  validator(target, (value): z.output<S> => schema.parse(value));
