import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { type ErrorCode, errorCodes } from "../../events/error-kinds.ts";
import { ScoutsError } from "../../events/errors.ts";
import { outcomeOf } from "../../shared/outcome/outcome.ts";
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

  const codesOf = (method: string, path: string) =>
    Object.values(described.paths[path]?.[method]?.responses ?? {}).flatMap(({ description }) =>
      [...description.matchAll(/^`(\w+)`/gm)].map(([, code]) => code),
    );

  test.each(["run", "trials"])("whatever a scout can be off for is named of %s, which answers it", (what) => {
    const switchingOff = errorCodes.filter((code) => outcomeOf(new ScoutsError(code), 0).kind === "disable");
    expect(switchingOff.length).toBeGreaterThan(5);
    expect(codesOf("post", `/api/v1/scouts/{id}/${what}`)).toEqual(
      expect.arrayContaining([...switchingOff, "source_not_connected", "scout_not_found", "queue_unavailable"]),
    );
  });

  test.each([
    ["post", "/api/v1/scouts"],
    ["get", "/api/v1/scouts/{id}/sees"],
    ["post", "/api/v1/scouts/{id}/reconnect"],
  ])("what sources answer who reaches them is named of %s %s", (method, path) => {
    const answered: readonly ErrorCode[] = [
      "source_no_feed",
      "source_leads_round",
      "source_not_encrypted",
      "source_certificate_refused",
      "source_path_missing",
      "source_path_no_mail",
      "source_gone",
      "source_too_large",
    ];
    expect(codesOf(method, path)).toEqual(expect.arrayContaining([...answered]));
  });

  test("limits of the schemas are in it, read from where requests are parsed", () => {
    const text = JSON.stringify(described.paths["/api/v1/scouts"]);
    expect(text).toContain('"maxLength":500');
    expect(text).toContain('"maximum":100');
    expect(text).toContain("Idempotency-Key");
  });
});
