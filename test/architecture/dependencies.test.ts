import { describe, expect, test } from "vitest";
import { mayReach, roomOf } from "./rooms.ts";
import { code, type Import, type SourceFile, sourceFiles } from "./source-tree.ts";

const inside = (file: string, folder: string) => file.startsWith(`${folder}/`);
const isProjectFile = (target: string) => /\.tsx?$/.test(target);

function forbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path);
    return file.imports
      .filter(({ target }) => isProjectFile(target))
      .filter(({ target }) => !room || !mayReach(room, target))
      .map(({ target }) => `${file.path} imports ${target}`);
  });
}

/** Files that import the package or a path of it, and stand in none of the folders that may. */
function importersOf(packages: RegExp, homes: readonly string[]): string[] {
  return code
    .filter(({ path }) => !homes.some((home) => inside(path, home)))
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
  test("every room imports only what the rule lets it", () => {
    expect(forbiddenImports(code)).toEqual([]);
  });

  test.each([
    example("shared/scouts/x.ts", "functions/worker/sync.ts"),
    example("shared/scouts/x.ts", "infra/settings.ts"),
    example("shared/scouts/x.ts", "device/store/open.ts", "type"),
    example("events/x.ts", "shared/keys.ts"),
    example("functions/api/x.ts", "device/store/open.ts"),
    example("device/store/x.ts", "shared/scouts/triage/triage.ts"),
    example("device/store/x.ts", "shared/ports/clock.ts"),
    example("device/store/x.ts", "infra/local/home.ts", "dynamic"),
    example("device/store/x.ts", "cli/program.ts"),
    example("infra/local/x.ts", "device/store/open.ts"),
    example("infra/local/x.ts", "cli/up/up.ts"),
    example("infra/standins/x.ts", "infra/local/home.ts"),
    example("cli/x.ts", "functions/worker/sync.ts"),
    example("cli/x.ts", "infra/standins/kms/start.ts"),
    example("infra/queues.ts", "shared/keys.ts"),
    example("infra/queues.ts", "infra/local/home.ts"),
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

  test("no file imports itself in a circle, nor for a type", () => {
    const edges = new Map(code.map(({ path, imports }) => [path, imports.filter((i) => i.kind !== "dynamic")]));
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

describe("the console", () => {
  const page = "device/console/page";

  test("its page runs in a browser: of the device it knows types, and files that import nothing; nothing of it knows the page", () => {
    const alone = new Set(code.filter(({ imports }) => imports.length === 0).map(({ path }) => path));
    const taken = code
      .filter(({ path }) => inside(path, page))
      .flatMap(({ path, imports }) => imports.map((each) => ({ path, ...each })))
      .filter(({ target, kind }) => isProjectFile(target) && !inside(target, page) && kind !== "type")
      .filter(({ target }) => !alone.has(target));
    expect(taken).toEqual([]);
    const users = code.filter(
      ({ path, imports }) => !inside(path, page) && imports.some(({ target }) => inside(target, page)),
    );
    expect(users.map(({ path }) => path)).toEqual([]);
  });

  test("its routes hold no logic: they know requests and use cases, and no store, device or cloud", () => {
    const known = /^(hono(\/[\w-]+)?|zod|events\/(ids|http\/[\w-]+)\.ts|device\/console\/(\w+\/)?[\w-]+\.ts)$/;
    const routes = code.filter(({ path }) => /^device\/console\/(\w+\/)?routes\.ts$/.test(path));
    expect(routes.length).toBeGreaterThanOrEqual(4);
    expect(
      routes.flatMap(({ imports }) => imports.map(({ target }) => target)).filter((target) => !known.test(target)),
    ).toEqual([]);
  });
});

describe("packages have one home each", () => {
  test("only the console's page imports React and what goes with it, and it none of Node's", () => {
    expect(
      importersOf(/^(react|react-dom|react-aria-components|react-i18next|i18next|@tanstack\/.*)(\/|$)/, [
        "device/console/page",
      ]),
    ).toEqual([]);
    const node = code.filter(
      ({ path, imports }) =>
        inside(path, "device/console/page") && imports.some(({ target }) => target.startsWith("node:")),
    );
    expect(node.map(({ path }) => path)).toEqual(["device/console/page/vite.config.ts"]);
  });

  test("an AWS SDK: shared/aws, S3 projects behind their port, and who operates a home", () => {
    const homes = ["shared/aws", "device/files/backends", "infra/local", "cli/ops"];
    expect(importersOf(/^@(aws-sdk|smithy)\//, homes)).toEqual([]);
  });

  test("a client of an AWS service that answers at once says how long it waits: the SDK waits without end", () => {
    const withoutEnd = /new (DynamoDB|KMS|S3|SQS)Client\((?!answeredInTime\()/;
    expect(matching("shared", withoutEnd)).toEqual([]);
    expect(matching("cli", /new \w+Client\((\)|\{\})/)).toEqual([]);
    expect(withoutEnd.test("new DynamoDBClient()") && withoutEnd.test("new S3Client({})")).toBe(true);
  });

  test("only the Gmail connector imports googleapis, and by its deep path (the root is 13.6 MB)", () => {
    const packages = /^(googleapis|google-auth-library|gaxios)(\/|$)/;
    expect(importersOf(packages, ["shared/scouts/connectors/gmail"])).toEqual([]);
    const paths = code.flatMap(({ imports }) => imports.map(({ target }) => target));
    const roots = paths.filter(
      (target) => /^googleapis/.test(target) && !target.startsWith("googleapis/build/src/apis/gmail/"),
    );
    expect(roots).toEqual([]);
  });

  test("only device/google imports Pub/Sub's client (2.5 MB bundled, 147 ms)", () => {
    expect(importersOf(/^@google-cloud\/pubsub(\/|$)/, ["device/google"])).toEqual([]);
  });

  test("only shared/llm imports openai", () => {
    expect(importersOf(/^openai(\/|$)/, ["shared/llm"])).toEqual([]);
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

  test("no folder holds more than fifteen files of code", () => {
    const counts = new Map<string, number>();
    for (const { path } of code) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, files]) => files > 15)).toEqual([]);
  });

  test("no file and no folder is called utils, helpers, common or manager", () => {
    const vague = /(^|[/-])(utils?|helpers?|common|managers?)(-|\.|\/|$)/i;
    expect(everything.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
  });
});
