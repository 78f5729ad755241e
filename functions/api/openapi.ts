import * as z from "zod";
import { type ErrorCode, errorKinds } from "../../events/error-kinds.ts";
import { errorBody } from "../../events/http/error-body.ts";
import type { DescribedRoute } from "./route.ts";

/** What any route may answer besides its own codes. */
const anywhere: readonly ErrorCode[] = ["storage_unavailable", "storage_throttled", "internal"];
const withToken: readonly ErrorCode[] = ["unauthenticated", "rate_limited"];
const withBody: readonly ErrorCode[] = ["invalid_request", "payload_too_large", "unsupported_media_type"];

type Json = Readonly<Record<string, unknown>>;

/**
 * The OpenAPI 3.1 document of a route table; schemas are those the routes parse with (JSON Schema 2020-12).
 *
 * @param settings what each source is told that takes settings, by its type; `Settings_{source}` in the document
 */
export function openApiOf(
  routes: readonly DescribedRoute[],
  server: string,
  settings: ReadonlyMap<string, z.ZodType>,
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Scouts",
      version: "1",
      description:
        "Scouts watch where your information arrives and hand small proposals to your own devices. A scout's settings are of its source's schema, Settings_{source}.",
    },
    servers: [{ url: server }],
    paths,
    components: {
      schemas: {
        Error: schemaOf(errorBody),
        ...Object.fromEntries([...settings].map(([source, schema]) => [`Settings_${source}`, schemaOf(schema)])),
      },
      securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
    },
  };
}

function operationOf(route: DescribedRoute): Json {
  const parameters = parametersOf(route);
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    security: route.open ? [] : [{ token: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: { required: true, content: contentOf(schemaOf(route.body)) } } : {}),
    responses: Object.fromEntries([...answersOf(route), ...refusalsOf(route)]),
  };
}

function parametersOf(route: DescribedRoute): Json[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: schemaOf(schema),
  }));
  const key = { name: "Idempotency-Key", in: "header", required: false, schema: { type: "string", maxLength: 255 } };
  return [...inPath, ...inQuery, ...(route.takesIdempotencyKey ? [key] : [])];
}

function answersOf({ answers }: DescribedRoute): [string, Json][] {
  return answers.map(({ status, description, schema }) => [
    String(status),
    schema ? { description, content: contentOf(schemaOf(schema)) } : { description },
  ]);
}

/** Error answers by status, each naming the codes that come with it. */
function refusalsOf(route: DescribedRoute): [string, Json][] {
  const codes = new Set([
    ...route.errors,
    ...anywhere,
    ...(route.open ? [] : withToken),
    ...(route.body ? withBody : route.query ? (["invalid_request"] as const) : []),
  ]);
  const byStatus = Map.groupBy([...codes].sort(), (code) => errorKinds[code].status);
  return [...byStatus].map(([status, of]) => [
    String(status),
    {
      description: of.map((code) => `\`${code}\`: ${errorKinds[code].sentence}`).join("\n\n"),
      ...(status === 429 ? { headers: { "Retry-After": { schema: { type: "integer" } } } } : {}),
      content: contentOf({ $ref: "#/components/schemas/Error" }),
    },
  ]);
}

function contentOf(schema: Json): Json {
  return { "application/json": { schema } };
}

/** As a client writes it: what has a default may be left out, and unknown fields of an answer are none of its business. */
export function schemaOf(schema: z.core.$ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    override({ zodSchema, jsonSchema }) {
      // What a reader takes a value for that it does not know.
      if (zodSchema._zod.def.type === "catch") delete jsonSchema.default;
    },
  });
  return rest;
}
