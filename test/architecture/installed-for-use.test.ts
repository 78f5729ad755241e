import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { code, root } from "./source-tree.ts";

interface Package {
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
  readonly scripts: Record<string, string>;
}

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const { dependencies, optionalDependencies, scripts }: Package = JSON.parse(read("package.json"));

/** The package a specifier is of: `@scope/name/deep` is of `@scope/name`. */
const packageOf = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

/**
 * `npm ci --omit=dev` is how a person installs what they want to use and not to develop. It runs `prepare`, which builds the
 * console's page and the program, and `npm start` follows.
 */
test("who installs for use has every package that building, starting and running need", () => {
  const imported = code
    .flatMap(({ imports }) => imports)
    .filter(({ target, kind }) => kind !== "type" && !/\.(tsx?|css|json)$/.test(target) && !isBuiltin(target))
    .map(({ target }) => packageOf(target));
  // The sources need another Node than the oldest that may install them (cli/launch.js).
  expect(read("cli/launch.js")).toContain("node/package.json");
  const [builder = ""] = (scripts["build:page"] ?? "").split(" ");
  expect(scripts["prepare"]).toBe("npm run build");
  expect(scripts["build"]).toBe("npm run build:page && npm run build:program");
  const needed = new Set([...imported, "node", builder]);
  expect(needed.size).toBeGreaterThan(40);
  expect([...needed].filter((name) => !(name in dependencies) && !(name in optionalDependencies))).toEqual([]);
});
