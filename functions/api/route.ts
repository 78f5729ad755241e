import type { Context } from "hono";
import type { LambdaContext, LambdaEvent } from "hono/aws-lambda";
import type * as z from "zod";
import type { ErrorCode } from "../../events/error-kinds.ts";
import type { UserId } from "../../events/ids.ts";

export interface ApiEnvironment {
  Bindings: { event: LambdaEvent; lambdaContext: LambdaContext };
}
export type ApiContext = Context<ApiEnvironment>;

/** What a route answers when all goes well, by status; `schema` absent where there is no body. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204 | 302 | 503;
  readonly description: string;
  readonly schema?: z.ZodType;
}

/** A request after its route has parsed it. */
export interface Call<P, Q, B> {
  readonly ports: P;
  readonly user: UserId;
  /** A path parameter as it came; "" when there is none of that name. */
  param(name: string): string;
  readonly query: Q;
  readonly body: B;
  readonly idempotencyKey: string | undefined;
}

/**
 * A route, written down once: what it is called, takes and gives is both what it does and what the OpenAPI document says.
 */
export interface RouteSpec<Q extends z.ZodObject, B extends z.ZodObject> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** OpenAPI's spelling: `/api/v1/scouts/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: "Service" | "Scouts" | "Items" | "Spam" | "Gmail" | "Devices" | "Billing";
  readonly query?: Q;
  readonly body?: B;
  readonly takesIdempotencyKey?: true;
  readonly answers: readonly Answer[];
  /** Codes of its own, besides those every route may give. */
  readonly errors: readonly ErrorCode[];
}

/** What is left of a route for whoever describes it. */
export interface DescribedRoute extends RouteSpec<z.ZodObject, z.ZodObject> {
  /** Whether it answers without a person's token. */
  readonly open: boolean;
}

/** And for whoever serves it, on the ports it needs. */
export interface Route<P> extends DescribedRoute {
  /** Parses the request and answers it. */
  serve(c: ApiContext, ports: () => P): Promise<Response>;
}
