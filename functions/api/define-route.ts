import type * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { RateLimit } from "../../shared/requests/rate-limit.ts";
import { personOf } from "./person.ts";
import type { ApiPorts } from "./ports.ts";
import { jsonBodyOf, parsed } from "./request-body.ts";
import type { ApiContext, Call, Route, RouteSpec } from "./route.ts";

type None = z.ZodObject<Record<never, never>>;
type Input<S extends z.ZodObject | undefined> = S extends z.ZodObject ? z.infer<S> : undefined;

/** Visible ASCII, as the draft has it for keys that clients make. */
const idempotencyKey = /^[\x21-\x7e]{1,255}$/;

/** Routes that want a person's token; every request takes one from the person's bucket first. */
export function routesOn<P extends { readonly rate: RateLimit }>() {
  return <Q extends z.ZodObject = None, B extends z.ZodObject = None>(
    spec: RouteSpec<Q, B>,
    handle: (call: Call<P, Input<Q>, Input<B>>, c: ApiContext) => Promise<Response>,
  ): Route<P> => ({
    ...spec,
    open: false,
    async serve(c, portsOf) {
      const user = personOf(c.env.event);
      const ports = portsOf();
      await ports.rate.take(user);
      const query = spec.query ? parsed(spec.query, c.req.query()) : undefined;
      const body = spec.body ? parsed(spec.body, await jsonBodyOf(c)) : undefined;
      const call = {
        ports,
        user,
        param: (name: string) => c.req.param(name) ?? "",
        // Parsed by the very schemas the types come from; absent exactly where the route names none.
        query: query as Input<Q>,
        body: body as Input<B>,
        idempotencyKey: spec.takesIdempotencyKey ? keyOf(c) : undefined,
      };
      return handle(call, c);
    },
  });
}

/** A route on everything the API has. */
export const route = routesOn<ApiPorts>();

/** A route that answers anybody. */
export function openRoute(
  spec: RouteSpec<None, None>,
  handle: (c: ApiContext, ports: () => ApiPorts) => Promise<Response>,
): Route<ApiPorts> {
  return { ...spec, open: true, serve: handle };
}

function keyOf(c: ApiContext): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key === undefined || idempotencyKey.test(key)) return key;
  throw new ScoutsError("invalid_request", { data: { where: "Idempotency-Key" } });
}
