import { describe, expect, test } from "vitest";
import { settingsOfThisMachine } from "../../infra/local/settings-of-this-machine.ts";
import { inventoryOf } from "./from-pulumi.ts";
import { declareStack, platformInstalled } from "./stack.ts";

describe.skipIf(!platformInstalled)("the stack under other settings", async () => {
  if (!platformInstalled) return;
  const declared = await declareStack("ci");

  test("a deployment without its settings, or with placeholders, fails with the names of all of them", async () => {
    const missing = declareStack("ci", {});
    await expect(missing).rejects.toThrow(
      /OIDC_ISSUER is not set[\s\S]*PUSH_SERVICE_ACCOUNT is not set|PUSH_SERVICE_ACCOUNT is not set/,
    );
    const wrong = {
      OIDC_ISSUER: "https://issuer.example.com/",
      GMAIL_TOPIC: "projects/my-project/topics/x",
      SYNC_CONCURRENCY: "1",
    };
    const refused = declareStack("ci", { ...settingsOfThisMachine, ...wrong });
    for (const name of Object.keys(wrong)) await expect(refused).rejects.toThrow(name);
  });

  test("a deployment without Google needs none of Google's settings", async () => {
    const { OIDC_ISSUER = "" } = settingsOfThisMachine;
    const without = inventoryOf(await declareStack("ci", { OIDC_ISSUER, GOOGLE_CLIENT_ID: "off" }));
    expect(without.functions.find(({ handler }) => handler.includes("worker/sync"))?.environment).toMatchObject({
      GOOGLE_CLIENT_ID: "off",
      GMAIL_TOPIC: "off",
    });
  });

  const adjusted = await declareStack("ci", {
    ...settingsOfThisMachine,
    RESERVED_CONCURRENCY: "100",
    API_DOMAIN: "api.scouts.test",
    SOCKET_DOMAIN: "ws.scouts.test",
  });

  test("addresses of one's own are a setting", () => {
    const names = adjusted.resources.flatMap(({ type, inputs }) =>
      type === "aws:apigatewayv2/domainName:DomainName" ? [inputs["domainName"]] : [],
    );
    expect(names.sort()).toEqual(["api.scouts.test", "ws.scouts.test"]);
  });

  test.each([
    ["without", declared],
    ["with", adjusted],
  ])("limits are set on routes that are there, %s an address of one's own", (_, { resources }) => {
    const placeOf = (found: (inputs: (typeof resources)[number]) => boolean) => resources.findIndex(found);
    const [api] = inventoryOf({ ...declared, resources }).stages.filter((stage) => stage.api === "Api");
    const limited = Object.keys(api?.throttledRoutes ?? {});
    expect(limited.length).toBeGreaterThan(0);
    const stage = placeOf(({ name }) => name === "ApiStage");
    for (const key of limited) {
      const route = placeOf(
        ({ type, inputs }) => type === "aws:apigatewayv2/route:Route" && inputs["routeKey"] === key,
      );
      expect([key, route >= 0 && route < stage]).toEqual([key, true]);
    }
  });

  test("executions are set aside for every function somebody waits for, where asked, and never those that must stay unreserved", async () => {
    const reserved = ({ resources }: typeof declared) =>
      Object.fromEntries(
        resources.flatMap(({ type, inputs }) => {
          const executions = inputs["reservedConcurrentExecutions"];
          return type === "aws:lambda/function:Function" && executions !== undefined
            ? [[String(inputs["name"]).split("-").at(-1), executions]]
            : [];
        }),
      );
    expect(reserved(declared)).toEqual({});
    // Its queue has 20 of its own: a backlog there leaves room for those who wait.
    const [each, ofMailboxes] = [100, 120];
    expect(reserved(adjusted)).toEqual({
      Http: each,
      Uploads: each,
      SocketAuthorizer: each,
      SocketConnect: each,
      SocketMessage: each,
      ImapWorker: ofMailboxes,
    });
    const greedy = declareStack("ci", { ...settingsOfThisMachine, RESERVED_CONCURRENCY: "147" });
    await expect(greedy).rejects.toThrow("set it to 146 at most");
  });

  test("production keeps its data: tables and their keys stay on removal and the Ledger cannot be deleted", async () => {
    const production = await declareStack("production", {
      ...settingsOfThisMachine,
      ALARM_EMAIL: "oncall@scouts.test",
    });
    expect(production.app).toMatchObject({ protect: true, removal: "retain" });
    expect(inventoryOf(production).tables.find(({ name }) => name === "Ledger")?.deletionProtection).toBe(true);
    const kept = ["LedgerTable", "SessionsTable", "TransitBucket", "VaultKeyRingKey", "SessionKeyRingKey"];
    expect(production.retained).toEqual(expect.arrayContaining(kept));
    expect(kept.filter((name) => declared.retained.includes(name))).toEqual([]);
    expect(production.resources).toContainEqual(
      expect.objectContaining({
        type: "aws:sns/topicSubscription:TopicSubscription",
        inputs: expect.objectContaining({ protocol: "email", endpoint: "oncall@scouts.test" }),
      }),
    );
  });
});
