import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { searchExactly } from "../../device/artifacts/tools/query/exact-query.ts";
import { dataFolder, hasData } from "./published.ts";

const suite = fileURLToPath(new URL("query/jmespath-compliance", dataFolder));

/** The library reads a raw string's two backslashes as one; the suite's proposal that changed it is younger. */
const known = ["'\\\\'"];

interface Case {
  readonly expression: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly bench?: string;
}

describe.skipIf(!hasData)("the published JMESPath suite", () => {
  const files = hasData ? readdirSync(suite, { recursive: true, encoding: "utf8" }) : [];
  test.each(files.filter((file) => file.startsWith(`tests${path.sep}`) && file.endsWith(".json")))("%s", (file) => {
    const groups: { given: never; cases: Case[] }[] = JSON.parse(readFileSync(path.join(suite, file), "utf8"));
    const wrong = groups.flatMap(({ given, cases }) =>
      cases
        .filter(({ bench, expression }) => bench === undefined && !known.includes(expression))
        .flatMap(({ expression, result, error }) => {
          try {
            const found = searchExactly(given, expression);
            if (error !== undefined) return [`${expression} should fail with ${error}`];
            expect(found).toEqual(result ?? null);
            return [];
          } catch (failure) {
            return error === undefined ? [`${expression}: ${String(failure).slice(0, 200)}`] : [];
          }
        }),
    );
    expect(wrong).toEqual([]);
  });
});
