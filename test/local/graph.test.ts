import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../infra/local/graph.ts";
import { fixtureConfig } from "./start-fixture.ts";

async function evaluateSource(run: string) {
  const folder = await mkdtemp(join(tmpdir(), "config-"));
  const configFile = join(folder, "sst.config.js");
  await writeFile(configFile, `export default $config({ app: () => ({ name: "x" }), async run() { ${run} } });`);
  try {
    return await evaluate({ configFile });
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("P4: the configuration that is deployed is the one the local home builds", () => {
  it("evaluates this repository's sst.config.ts into queues, tables, functions, routes and crons", async () => {
    const graph = await evaluate();
    expect(graph.app.name).toBe("scouts");
    expect(graph.queues["Sync"]).toMatchObject({ fifo: true, queueName: "Sync.fifo", visibilityTimeoutSeconds: 720 });
    expect(graph.queues["Triage"]?.redrive?.deadLetterArn).toBe(graph.queues["TriageDeadLetters"]?.arn);
    expect(graph.queues["Triage"]?.subscriber).toMatchObject({ batchSize: 10, partialResponses: true });
    expect(Object.keys(graph.tables["Ledger"]?.indexes ?? {})).toEqual(["due", "recent"]);
    expect(Object.values(graph.functions).map(({ handler }) => handler)).toContain("functions/worker/triage.handler");
    expect(Object.values(graph.httpApis)[0]?.routes.length).toBeGreaterThan(2);
    expect(Object.keys(Object.values(graph.socketApis)[0]?.routes ?? {})).toEqual([
      "$connect",
      "$disconnect",
      "$default",
    ]);
    expect(graph.crons["Poll"]).toMatchObject({ schedule: "rate(1 minute)", retries: 2 });
  });

  it("gives every permission a resource that exists in the graph", async () => {
    const graph = await evaluate();
    const arns = [...Object.values(graph.queues), ...Object.values(graph.tables), ...Object.values(graph.buckets)];
    const known = [
      ...arns.map(({ arn }) => arn),
      ...Object.values(graph.socketApis).map(({ executionArn }) => executionArn),
      ...Object.values(graph.functions).map(({ functionName }) => `:function:${functionName}`),
      ...graph.recorded.filter(({ type }) => type === "aws.kms.Key").map(({ name }) => `:key/${name}`),
    ];
    const resources = Object.values(graph.functions).flatMap((node) => node.permissions.flatMap((p) => p.resources));
    for (const resource of resources) {
      expect(
        known.some((arn) => resource.includes(arn)),
        resource,
      ).toBe(true);
    }
  });

  it("can be evaluated again in the same process, each time with the environment given", async () => {
    const [first, second] = await Promise.all([
      evaluate({ environment: { OPENAI_MODEL: "first" } }),
      evaluate({ environment: { OPENAI_MODEL: "second" } }),
    ]);
    const model = (graph: typeof first) => graph.functions["TriageSubscriber"]?.environment["OPENAI_MODEL"];
    expect([model(first), model(second)]).toEqual(["first", "second"]);
    expect(process.env["OPENAI_MODEL"]).not.toBe("second");
  });

  it("refuses what the functions could not read, before anything runs, and names all of it", async () => {
    const wrong = {
      GMAIL_UNITS_PER_MINUTE: "6,000",
      IMAP_UNITS_PER_MINUTE: "0",
      OPENAI_PRICES: "0.15",
      OPENAI_BASE_URL: "localhost:11434/v1",
      PUSH_JWKS_URL: "file:///certs",
      API_DOMAIN: "https://api.scouts.test",
      SOCKET_DOMAIN: "ws.scouts.test/socket",
    };
    const refused = evaluate({ environment: wrong });
    for (const name of Object.keys(wrong)) await expect(refused).rejects.toThrow(name);
    await expect(refused).rejects.toThrow(/OPENAI_BASE_URL is no address that begins with http/);
    await expect(refused).rejects.toMatchObject({ code: "config_invalid" });
  });

  it("is plain data that names secrets without their values", async () => {
    const graph = await evaluate({ configFile: fixtureConfig });
    expect(JSON.parse(JSON.stringify(graph))).toEqual(graph);
    expect(graph.secrets).toEqual(["Pepper"]);
    expect(graph.links["Pepper"]).toEqual({ name: "Pepper", secret: true, properties: {} });
  });
});

describe("the components", () => {
  it("record a raw aws resource they have no engine for, with an ARN to refer to", async () => {
    const graph = await evaluateSource(`
      const board = new aws.cloudwatch.Dashboard("Board", { dashboardBody: $interpolate\`{"a":\${$output(1)}}\` });
      new sst.Linkable("Uses", { properties: { arn: board.arn } });
    `);
    expect(graph.recorded).toEqual([
      { type: "aws.cloudwatch.Dashboard", name: "Board", args: { dashboardBody: '{"a":1}' } },
    ]);
  });

  it.each([
    ["an SST component without counterpart", `new sst.aws.Cluster("C");`, /sst\.aws\.Cluster has no local counterpart/],
    [
      "a table stream",
      `new sst.aws.Dynamo("T", { fields: {}, primaryIndex: { hashKey: "pk" }, stream: "new-image" });`,
      /stream/,
    ],
    ["a name used twice", `new sst.aws.Queue("Q"); new sst.aws.Queue("Q");`, /Two components are called "Q"/],
    [
      "a second subscriber",
      `const q = new sst.aws.Queue("Q"); q.subscribe("a.b"); q.subscribe("c.d");`,
      /two subscribers/,
    ],
    ["an invalid duration", `new sst.aws.Queue("Q", { visibilityTimeout: "soon" });`, /"soon" is not a duration/],
    ["an output used as text", "const q = new sst.aws.Queue('Q'); String(q.url);", /use \$interpolate/],
  ])("refuse %s with a sentence that says so", async (_, source, sentence) => {
    await expect(evaluateSource(source)).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringMatching(sentence),
    });
  });
});
