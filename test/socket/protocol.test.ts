import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { asyncApi, asyncApiFile, asyncApiText } from "./protocol/asyncapi.ts";
import { clientFrames, documentFile, regenerated, sectionNames, serverFrames } from "./protocol/document.ts";

const document = readFileSync(documentFile, "utf8");
/** One type may go both ways. */
const types = new Set([...clientFrames, ...serverFrames].map(({ type }) => type));
const diagrams = [...document.matchAll(/```mermaid\n(.*?)```/gs)].map(([, diagram]) => diagram ?? "");

describe("docs/protocol.md", () => {
  test("says what the schemas say (npm run docs:protocol brings it up to date)", () => {
    expect(regenerated(document)).toBe(document);
  });

  test("has every generated section once", () => {
    const marks = [...document.matchAll(/<!-- generated: (\w+) -->/g)].map(([, name]) => name);
    expect(marks.toSorted()).toEqual([...sectionNames].sort());
  });

  test("shows every frame in a flow, and no frame that is none", () => {
    const drawn = new Set(
      diagrams.flatMap((diagram) => [...diagram.matchAll(/[DC]--?>>[DC]: (\w+)/g)].map(([, type]) => type)),
    );
    expect([...drawn].toSorted()).toEqual([...types].sort());
  });

  test.each(diagrams.map((diagram) => [diagram.split("\n")[1]?.trim() ?? "", diagram]))(
    "flow %s: device frames go up and the cloud's come down, between participants that are named",
    (_, diagram) => {
      expect(diagram).toMatch(/^sequenceDiagram\n/);
      const up = [...diagram.matchAll(/D->>C: (\w+)/g)].map(([, type]) => type);
      const down = [...diagram.matchAll(/C-->>D: (\w+)/g)].map(([, type]) => type);
      expect(up.filter((type) => !clientFrames.some((frame) => frame.type === type))).toEqual([]);
      expect(down.filter((type) => !serverFrames.some((frame) => frame.type === type))).toEqual([]);
      const known = new Set([...diagram.matchAll(/participant (\w+)/g)].map(([, name]) => name));
      const used = [...diagram.matchAll(/^ +(\w+)--?>>(\w+):/gm)].flatMap(([, a, b]) => [a, b]);
      expect(used.filter((name) => !known.has(name))).toEqual([]);
      const blocks = [...diagram.matchAll(/^ +(opt|loop|alt|par|end)\b/gm)].map(([, word]) => word);
      expect(blocks.filter((word) => word === "end")).toHaveLength(blocks.filter((word) => word !== "end").length);
    },
  );
});

describe("docs/asyncapi.json", () => {
  test("is the one the schemas make (npm run docs:protocol brings it up to date)", () => {
    expect(readFileSync(asyncApiFile, "utf8")).toBe(asyncApiText());
  });

  test("is an AsyncAPI 3.0 document by AsyncAPI's own schema", () => {
    const specification: object = createRequire(import.meta.url)("@asyncapi/specs/schemas/3.0.0-without-$id.json");
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    const validate = ajv.compile(specification);
    validate(asyncApi());
    expect(validate.errors ?? []).toEqual([]);
    validate({ ...asyncApi(), channels: { device: { address: 5 } } });
    expect(validate.errors).not.toEqual([]);
  });

  test("every reference in it leads somewhere", () => {
    const whole = JSON.parse(asyncApiText());
    const references = [...asyncApiText().matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, path]) => path ?? "");
    const at = (path: string) => path.split("/").reduce((node, key) => node?.[key], whole);
    expect(references.filter((path) => at(path) === undefined)).toEqual([]);
    expect(references.length).toBeGreaterThan(types.size);
  });

  test("its examples are what its payload schemas take", () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const { name, payload, examples = [] } of Object.values(asyncApi().components.messages)) {
      expect(examples.length, name).toBeGreaterThan(0);
      for (const example of examples) expect(ajv.validate(payload, example.payload), name).toBe(true);
    }
  });
});
