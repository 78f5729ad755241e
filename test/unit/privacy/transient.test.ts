import { format, inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { Transient } from "../../../shared/privacy/transient.ts";

const secret = "words of a mail";
const content = new Transient(secret);

describe("P1: content in memory fails loudly when something would write it down", () => {
  test.each([
    ["JSON", () => JSON.stringify({ content })],
    ["JSON, deep inside", () => JSON.stringify([{ a: { b: [content] } }])],
    ["String()", () => String(content)],
    ["a template", () => `${content as unknown as string}`],
    ["concatenation", () => `${""}${content as unknown as string}`],
    ["toString", () => content.toString()],
    ["a number", () => Number(content)],
    ["a key", () => ({ [content as unknown as string]: 1 })],
  ])("by %s", (_, write) => {
    expect(write).toThrow(TypeError);
  });

  test("a structured clone, a spread and own keys carry nothing", () => {
    expect(structuredClone(content)).toEqual({});
    expect({ ...content }).toEqual({});
    expect(Reflect.ownKeys(content)).toEqual([]);
  });

  test("inspecting shows a placeholder, at any depth and in an error's cause", () => {
    for (const shown of [
      inspect(content),
      inspect({ a: [{ content }] }, { depth: 9, showHidden: true }),
      format("%o %O", content, content),
      inspect(new Error("failed", { cause: content })),
    ]) {
      expect(shown).not.toContain(secret);
    }
  });

  test("reveal gives it back, map keeps it wrapped", () => {
    expect(content.reveal()).toBe(secret);
    const length = content.map((text) => text.length);
    expect(length.reveal()).toBe(secret.length);
    expect(() => JSON.stringify(length)).toThrow(TypeError);
  });
});
