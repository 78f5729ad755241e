import { expect, test } from "vitest";
import * as z from "zod";
import { argumentWords } from "../../device/errors/argument-words.ts";

const schema = z.strictObject({
  path: z.string().min(1).max(10),
  globs: z.array(z.string().min(1)).min(2).max(3).optional(),
  limit: z.int().positive().max(100).optional(),
  mode: z.enum(["create", "replace"]).optional(),
  full: z.boolean().optional(),
  after: z.int().optional(),
  version: z
    .string()
    .regex(/^ver_[0-9A-Z]{4}$/)
    .optional(),
  hash: z
    .string()
    .regex(/^[0-9a-f]{4}$/)
    .optional(),
  at: z.url().optional(),
});

test.each([
  [{}, "path: it is missing"],
  [{ path: "" }, "path: it is empty"],
  [{ path: "x".repeat(11) }, "path: it has more than 10 characters"],
  [{ path: null }, "path: it must be a text"],
  [{ path: "a", globs: "b" }, "globs: it must be a list"],
  [{ path: "a", globs: ["", "b"] }, "globs.0: it is empty"],
  [{ path: "a", globs: ["b"] }, "globs: it must have 2 entries at least"],
  [{ path: "a", globs: ["b", "b", "b", "b"] }, "globs: it has more than 3 entries"],
  [{ path: "a", limit: 0 }, "limit: it must be more than 0"],
  [{ path: "a", limit: 101 }, "limit: it must be 100 at most"],
  [{ path: "a", limit: Number.NaN }, "limit: it must be a number"],
  [{ path: "a", limit: 1.5 }, "limit: it must be a whole number"],
  [{ path: "a", after: 1e308 }, "after: it must be 9007199254740991 at most"],
  [{ path: "a", after: -1e308 }, "after: it must be -9007199254740991 at least"],
  [{ path: "a", version: "x" }, "version: it must be an id that begins with ver_"],
  [{ path: "a", hash: "x" }, "hash: it is not of the form it must have"],
  [{ path: "a", at: "x" }, "at: it must be written as url"],
  [{ path: "a", mode: "x" }, "mode: it must be one of create, replace"],
  [{ path: "a", full: 1, other: 2 }, "full: it must be true or false; arguments: there is no argument other"],
  ["x", "arguments: it must be an object"],
])("what is wrong with arguments is said in words that quote no value: %j", (given, told) => {
  const { error } = schema.safeParse(given);
  expect(error && argumentWords(error)).toBe(told);
});
