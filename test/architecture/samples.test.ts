import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as actions from "../../events/actions.ts";
import * as artifactTools from "../../events/agent-tools/artifact-tools.ts";
import * as categorizeAnswer from "../../events/agent-tools/categorize-answer.ts";
import * as mcpTools from "../../events/agent-tools/mcp-tools.ts";
import * as workTools from "../../events/agent-tools/work-tools.ts";
import * as agents from "../../events/agents.ts";
import * as categorize from "../../events/categorize.ts";
import * as folders from "../../events/folders.ts";
import * as frames from "../../events/frames.ts";
import * as health from "../../events/health.ts";
import * as payload from "../../events/payload.ts";
import * as queues from "../../events/queues.ts";
import * as sources from "../../events/sources.ts";
import * as tools from "../../events/tools.ts";
import * as verdict from "../../events/verdict.ts";
import * as webhooks from "../../events/webhooks.ts";
import { root } from "./source-tree.ts";

/** The HTTP API is one channel, with a file for each subject. */
const http: Record<string, unknown> = {};
for (const file of globSync("events/http/*.ts", { cwd: root }))
  Object.assign(http, await import(path.join(root, file)));

/** The channels of events/; ids and errors are parts of their messages. */
const channels: Record<string, Record<string, unknown>> = {
  actions,
  agents,
  "artifact-tools": artifactTools,
  categorize,
  "categorize-answer": categorizeAnswer,
  folders,
  frames,
  health,
  http,
  "mcp-tools": mcpTools,
  payload,
  queues,
  sources,
  tools,
  verdict,
  webhooks,
  "work-tools": workTools,
};

/** Messages: what is exported and is an object. Ids, cursors and enumerations are their fields. */
const schemas = new Map<string, z.ZodType>();
for (const [channel, exports] of Object.entries(channels)) {
  for (const [name, value] of Object.entries(exports)) {
    if (value instanceof z.ZodObject || value instanceof z.ZodDiscriminatedUnion)
      schemas.set(`${channel}.${name}`, value);
  }
}

/** `{channel}.{schema}.json`, with a variant before `.json` when there are several: `frames.clientFrame.hello.json`. */
const samples = globSync("events/samples/*.json", { cwd: root }).map((file) => path.basename(file, ".json"));
const schemaOf = (sample: string) => sample.split(".").slice(0, 2).join(".");
const parse = (sample: string): unknown =>
  JSON.parse(readFileSync(path.join(root, "events/samples", `${sample}.json`), "utf8"));

describe("the samples of events/", () => {
  test.each(samples)("%s is what its name says", (sample) => {
    const schema = schemas.get(schemaOf(sample));
    expect(schema, "no such schema").toBeDefined();
    expect(schema?.safeParse(parse(sample)).error).toBeUndefined();
  });

  test("every channel of events/ is looked at", () => {
    const files = globSync(["events/*.ts", "events/agent-tools/*.ts"], { cwd: root }).map((file) =>
      path.basename(file, ".ts"),
    );
    expect([...files.filter((file) => !["error-kinds", "errors", "ids"].includes(file)), "http"].sort()).toEqual(
      Object.keys(channels).sort(),
    );
  });

  test("every message has a sample", () => {
    const shown = new Set(samples.map(schemaOf));
    expect([...schemas.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  test.each([
    ["frames.clientFrame", frames.clientFrame],
    ["frames.serverFrame", frames.serverFrame],
  ])("every frame of %s has a sample named after its type", (name, union) => {
    const types = union.options.map((option) => option.shape.type.value);
    const shown = samples.filter((sample) => schemaOf(sample) === name).map((sample) => sample.split(".")[2]);
    expect(new Set(shown)).toEqual(new Set(types));
    for (const sample of samples.filter((candidate) => schemaOf(candidate) === name)) {
      expect(parse(sample)).toMatchObject({ type: sample.split(".")[2] });
    }
  });

  test("a sample says nothing its schema does not know", () => {
    const unknown = samples.filter((sample) => {
      const value = parse(sample);
      const parsed = schemas.get(schemaOf(sample))?.safeParse(value).data;
      return Object.keys(Object(value)).some((key) => !(key in Object(parsed)));
    });
    expect(unknown).toEqual([]);
  });
});
