import { describe, expect, test } from "vitest";
import { code, type Import, type SourceFile, sourceFiles } from "./source-tree.ts";

const inside = (file: string, folder: string) => file.startsWith(`${folder}/`);
const isProjectFile = (target: string) => target.endsWith(".ts") || target.endsWith(".json");

/** What the code of a folder may import of the project, besides its own. The first folder that matches a file counts. */
const allowed: readonly [folder: string, mayImport: readonly string[]][] = [
  ["events", []],
  ["shared", ["events"]],
  ["functions", ["shared", "events"]],
  ["device", ["shared/files", "shared/access", "shared/artifacts", "shared/llm", "shared/privacy", "events"]],
  ["infra/local", ["infra", "functions", "shared", "device", "events"]],
  ["infra", []],
];

/** `scouts up` starts the local home and is the only command that knows of it; it loads it when it is asked for. */
const startsTheHome = (file: SourceFile, { target, kind }: Import) =>
  inside(file.path, "device/cli") && kind === "dynamic" && inside(target, "infra/local");

function forbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const [folder, others] = allowed.find(([candidate]) => inside(file.path, candidate)) ?? ["", []];
    return file.imports
      .filter(({ target }) => isProjectFile(target))
      .filter(({ target }) => ![folder, ...others].some((permitted) => inside(target, permitted)))
      .filter((found) => !startsTheHome(file, found))
      .map(({ target }) => `${file.path} imports ${target}`);
  });
}

/** Files outside `home` that import the package or a path of it. `infra/local` talks to the engines and may. */
function importersOf(packages: RegExp, home: string): string[] {
  return code
    .filter(({ path }) => !inside(path, home) && !inside(path, "infra/local"))
    .filter(({ imports }) => imports.some(({ target }) => packages.test(target)))
    .map(({ path }) => path);
}

const matching = (folder: string, pattern: RegExp) =>
  code.filter(({ path, text }) => inside(path, folder) && pattern.test(text)).map(({ path }) => path);

const example = (path: string, target: string, kind: Import["kind"] = "static"): SourceFile => ({
  path,
  text: "",
  imports: [{ target, kind }],
});

describe("the dependency rule", () => {
  test("functions → shared → events; device → five folders of shared, events; nobody else's", () => {
    expect(forbiddenImports(code)).toEqual([]);
  });

  test.each([
    example("shared/scouts/x.ts", "functions/worker/sync.ts"),
    example("shared/scouts/x.ts", "infra/settings.ts"),
    example("shared/scouts/x.ts", "device/store/open.ts", "type"),
    example("events/x.ts", "shared/keys.ts"),
    example("functions/api/x.ts", "device/store/open.ts"),
    example("device/store/x.ts", "shared/scouts/triage.ts"),
    example("device/store/x.ts", "infra/local/up.ts", "dynamic"),
    example("device/cli/x.ts", "infra/local/up.ts", "static"),
    example("infra/queues.ts", "shared/keys.ts"),
    example("infra/local/home.ts", "test/memory/table.ts"),
  ])("$path may not import $imports.0.target ($imports.0.kind)", (file) => {
    expect(forbiddenImports([file])).toHaveLength(1);
  });

  test("nothing imports from test", () => {
    const importers = code.filter(({ imports }) => imports.some(({ target }) => inside(target, "test")));
    expect(importers.map(({ path }) => path)).toEqual([]);
  });

  test("every import names a file or a package, never a computed path", () => {
    const computed = code.filter(({ path, text }) => !inside(path, "infra/local") && /\bimport\((?!")/.test(text));
    expect(computed.map(({ path }) => path)).toEqual([]);
  });

  test("no file imports itself in a circle", () => {
    const edges = new Map(code.map(({ path, imports }) => [path, imports.filter((i) => i.kind === "static")]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, trail: readonly string[]) => {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
      if (done.has(file) || trail.includes(file)) return;
      for (const { target } of edges.get(file) ?? []) visit(target, [...trail, file]);
      done.add(file);
    };
    for (const file of edges.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });
});

describe("packages have one home each", () => {
  test("only shared/aws imports an AWS SDK", () => {
    expect(importersOf(/^@(aws-sdk|smithy)\//, "shared/aws")).toEqual([]);
  });

  test("only the Gmail connector imports googleapis, and by its deep path (the root is 13.6 MB)", () => {
    expect(importersOf(/^(googleapis|google-auth-library|gaxios)(\/|$)/, "shared/scouts/connectors/gmail")).toEqual([]);
    const paths = code.flatMap(({ imports }) => imports.map(({ target }) => target));
    const roots = paths.filter(
      (target) => /^googleapis/.test(target) && !target.startsWith("googleapis/build/src/apis/gmail/"),
    );
    expect(roots).toEqual([]);
  });

  test("only device/google imports Pub/Sub's client (2.5 MB bundled, 147 ms)", () => {
    expect(importersOf(/^@google-cloud\/pubsub(\/|$)/, "device/google")).toEqual([]);
  });

  test("only shared/llm imports openai", () => {
    expect(importersOf(/^openai(\/|$)/, "shared/llm")).toEqual([]);
  });

  test("the domain knows no SST", () => {
    expect(matching("shared", /from "sst(\/|")/)).toEqual([]);
  });
});

describe("the domain stands alone", () => {
  test("shared reads no environment", () => {
    expect(matching("shared", /\bprocess\s*\.\s*env\b|\bfrom "node:process"/)).toEqual([]);
  });

  test("P1: shared and functions print nothing: only the logger's sink writes", () => {
    const printers = [...matching("shared", /\bconsole\s*\./), ...matching("functions", /\bconsole\s*\./)];
    expect(printers.filter((path) => !/\/log(ger)?\.ts$/.test(path))).toEqual([]);
  });

  test("P4: functions and shared do not ask where they run", () => {
    const asks = /\bif\s*\(\s*!?(isL|l)ocal\b|\bAWS_ENDPOINT_URL|\bAWS_LAMBDA_FUNCTION_NAME|\bSST_DEV\b/;
    expect([...matching("shared", asks), ...matching("functions", asks)]).toEqual([]);
  });
});

describe("the shape of the code", () => {
  const everything = [...code, ...sourceFiles(["test"])];

  test("there are no default exports but in configuration files", () => {
    const offenders = everything.filter(({ text }) => /^export default\b|\bas default\b/m.test(text));
    expect(offenders.map(({ path }) => path).filter((path) => !path.includes(".config."))).toEqual([]);
  });

  test("no file and no folder is called utils, helpers, common or manager", () => {
    const vague = /(^|[/-])(utils?|helpers?|common|managers?)(-|\.|\/|$)/i;
    expect(everything.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
  });
});
