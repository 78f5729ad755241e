import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./source-tree.ts";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Everything a person wrote or a tool committed, but no binary and nothing that is installed. */
const committed = globSync("{*,.ci/*,.npmrc,{events,functions,shared,infra,device,cli,test,docs}/**/*}", { cwd: root })
  .map((file) => file.split(path.sep).join("/"))
  .filter((file) => /\.(ts|mjs|js|json|jsonc|md|sql|sh|yml|yaml|npmrc)$|^\.ci\/run$/.test(file))
  .filter((file) => !file.startsWith("node_modules"));

interface Lockfile {
  packages: Record<
    string,
    { resolved?: string; integrity?: string; link?: boolean; optional?: boolean; optionalDependencies?: object }
  >;
}

describe("the repository works on any machine", () => {
  test("the lockfile names versions and hashes, and no registry", () => {
    const { packages }: Lockfile = JSON.parse(read("package-lock.json"));
    const entries = Object.entries(packages);
    expect(entries.length).toBeGreaterThan(100);
    expect(
      entries.filter(([, entry]) => entry.resolved !== undefined && !entry.resolved.startsWith("node_modules/")),
    ).toEqual([]);
    const unhashed = entries.filter(([name, { integrity, link }]) => name !== "" && !integrity && !link);
    expect(unhashed.filter(([, { optional }]) => !optional)).toEqual([]);
  });

  test("the lockfile knows the packages of every platform, or `npm ci` refuses it", () => {
    const { packages }: Lockfile = JSON.parse(read("package-lock.json"));
    const known = Object.keys(packages);
    const missing = Object.entries(packages).flatMap(([owner, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !known.some((key) => key.endsWith(`node_modules/${name}`)))
        .map((name) => `${owner} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test("no setting and no script names a registry", () => {
    expect(read(".npmrc")).not.toMatch(/^\s*(@[\w-]+:)?registry\s*=/m);
    expect(read("package.json")).not.toContain("registry");
  });

  test("dependencies are pinned to exact versions", () => {
    const {
      dependencies,
      devDependencies,
      optionalDependencies,
    }: Record<string, Record<string, string>> = JSON.parse(read("package.json"));
    const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      ([, v]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(v),
    );
    expect(ranges).toEqual([]);
  });

  test("no committed text holds a path of somebody's machine", () => {
    expect(committed.length).toBeGreaterThan(50);
    // Test data about paths may invent homes; a checkout's or a temporary folder's address is never meant.
    const checkout = new RegExp(
      `${["/work", "main"].join("/")}|${["/work", "shared"].join("/")}|${["/tmp", "team"].join("/")}`,
    );
    const home = /(?<![\w.-])\/(?:home|Users)\/(?!user\b|you\b|me\b|ada\b|alice\b|bob\b|[<${])[a-z][\w-]*\//;
    const offenders = committed.filter((file) => {
      const text = read(file);
      return checkout.test(text) || (!file.startsWith("test/") && home.test(text));
    });
    expect(offenders).toEqual([]);
  });
});
