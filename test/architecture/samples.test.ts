import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { clientFrame, serverFrame } from "../../events/frames/frames.ts";
import { root } from "./source-tree.ts";

/**
 * The channels of events/: a folder is one, whichever file a message is in, and so is a file beside the folders. What
 * a file exports comes under the channel's name.
 */
const channels = new Map<string, Record<string, unknown>>();
for (const file of globSync("events/**/*.ts", { cwd: root })) {
  const [channel = ""] = file.split(path.sep).slice(1);
  const name = path.basename(channel, ".ts");
  channels.set(name, { ...channels.get(name), ...(await import(path.join(root, file))) });
}

/** Messages: what is exported and is an object. Ids, cursors and enumerations are their fields. */
const schemas = new Map<string, z.ZodType>();
for (const [channel, exports] of channels) {
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

  test("every message has a sample", () => {
    const shown = new Set(samples.map(schemaOf));
    expect([...schemas.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  test.each([
    ["frames.clientFrame", clientFrame],
    ["frames.serverFrame", serverFrame],
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
