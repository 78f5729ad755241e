import { inspect } from "node:util";
import { marshall } from "@aws-sdk/util-dynamodb";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { log } from "../../functions/log.ts";
import { Transient } from "../../shared/privacy/transient.ts";

const secret = "only-in-memory";
const content = new Transient({ subject: secret, parts: [secret] });

describe("P1: content that is written down by accident fails loudly", () => {
  test.each<[string, () => unknown]>([
    ["JSON", () => JSON.stringify(content)],
    ["JSON, deep inside something else", () => JSON.stringify({ row: [{ note: content }] })],
    ["a template", () => `${String(Reflect.get({ content }, "content"))}`],
    ["concatenation", () => ["", content].join("")],
    ["arithmetic", () => Number(content)],
    ["a text", () => String(content)],
    ["a text of its own", () => content.toString()],
    ["a buffer", () => Reflect.apply(Buffer.from, Buffer, [content])],
    ["form fields", () => Reflect.construct(URLSearchParams, [{ q: content }])],
    ["bytes", () => Reflect.apply(TextEncoder.prototype.encode, new TextEncoder(), [content])],
    ["a mapped value", () => JSON.stringify(content.map(({ subject }) => subject.length))],
  ])("%s", (_, write) => {
    expect(write).toThrow(TypeError);
  });

  test("a log line, of which not even the beginning is written", () => {
    const written: string[] = [];
    const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    onTestFinished(() => write.mockRestore());
    const data = { scoutId: "sct", subject: content };
    expect(() => Reflect.apply(log.event, log, ["triaged", data])).toThrow(TypeError);
    expect(() => Reflect.apply(log.error, log, ["triage_failed", new Error("x"), data])).toThrow(TypeError);
    expect(written).toEqual([]);
  });

  test("the error that says so does not quote it", () => {
    expect(
      messagesOf(
        () => JSON.stringify(content),
        () => String(content),
      ),
    ).not.toContain(secret);
  });
});

describe("P1: what cannot fail shows nothing", () => {
  test.each<[string, () => unknown]>([
    ["inspection, as console.log does it", () => inspect({ content }, { depth: null, showHidden: true })],
    ["a property list", () => [Object.entries(content), Object.getOwnPropertyNames(content), { ...content }]],
    ["a structured clone, as between threads", () => structuredClone({ content })],
    ["a DynamoDB item", () => marshalled()],
  ])("%s", (_, show) => {
    expect(inspect(show(), { depth: null, showHidden: true })).not.toContain(secret);
  });
});

test("reveal gives the content back, and map what is made of it, still wrapped", () => {
  expect(content.reveal()).toEqual({ subject: secret, parts: [secret] });
  expect(content.map(({ subject }) => subject.length).reveal()).toBe(secret.length);
});

function marshalled(): unknown {
  try {
    return marshall({ subject: content }, { convertClassInstanceToMap: true });
  } catch (error) {
    return error;
  }
}

function messagesOf(...acts: (() => unknown)[]): string {
  return acts
    .map((act) => {
      try {
        return String(act());
      } catch (error) {
        return inspect(error);
      }
    })
    .join();
}
