import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { errorCodes } from "../../events/error-kinds.ts";
import { cleanUp } from "../standins/mailbox-fixture.ts";
import { type ApiSetting, apiSetting } from "./setting.ts";

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.unknown()),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.unknown()) }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const document = z.looseObject({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

let setting: ApiSetting;
let described: z.infer<typeof document>;
beforeEach(async () => {
  setting = await apiSetting();
  described = document.parse((await setting.ask("GET", "/openapi.json", { as: null })).body);
});
afterEach(cleanUp);

const operations = () =>
  Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]) => ({ path, method, ...op })),
  );

describe("the OpenAPI document", () => {
  test("names every route of 2.6, each under an id of its own", () => {
    const named = operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(named).toEqual(
      expect.arrayContaining([
        "GET /health",
        "GET /openapi.json",
        "POST /api/v1/device/tickets",
        "GET /api/v1/scouts",
        "POST /api/v1/scouts",
        "GET /api/v1/scouts/{id}",
        "PATCH /api/v1/scouts/{id}",
        "DELETE /api/v1/scouts/{id}",
        "POST /api/v1/scouts/{id}/run",
        "GET /api/v1/scouts/{id}/health",
        "GET /api/v1/items",
        "POST /api/v1/items/redrive",
        "GET /api/v1/scouts/{id}/spam",
        "POST /api/v1/scouts/{id}/spam/{ref}/restore",
        "POST /api/v1/scouts/{id}/gmail/connect",
        "POST /api/v1/scouts/{id}/gmail/complete",
        "GET /api/v1/scouts/gmail/callback",
      ]),
    );
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("every route it names is there, and wants a token where it says so", async () => {
    for (const { path, method, security } of operations()) {
      const reply = await setting.ask(method.toUpperCase(), path.replace(/\{\w+\}/g, "x"), { as: null });
      expect([path, reply.code === "not_found" || reply.code === "method_not_allowed"]).toEqual([path, false]);
      if (security.length > 0) expect([path, reply.status]).toEqual([path, 401]);
      else expect([path, reply.status === 401]).toEqual([path, false]);
    }
  });

  test("every path parameter is declared, every answer has a schema or no body, every code is a known one", () => {
    for (const { path, parameters, responses } of operations()) {
      const inPath = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      for (const [status, { description }] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const codes = [...description.matchAll(/^`(\w+)`/gm)].map(([, code]) => code);
        expect(codes.length).toBeGreaterThan(0);
        expect(codes.filter((code) => !errorCodes.some((known) => known === code))).toEqual([]);
      }
    }
  });

  test("limits of the schemas are in it, read from where requests are parsed", () => {
    const text = JSON.stringify(described.paths["/api/v1/scouts"]);
    expect(text).toContain('"maxLength":500');
    expect(text).toContain('"maximum":100');
    expect(text).toContain("Idempotency-Key");
  });
});
