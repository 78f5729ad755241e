import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { settingsOfThisMachine } from "../../infra/local/settings-of-this-machine.ts";
import type { FunctionBuild } from "./build-server.ts";
import type { DeclaredResource } from "./mock-provider.ts";

export const root = path.resolve(import.meta.dirname, "../..");
const platform = path.join(root, ".sst/platform");
const compileCache = path.join(tmpdir(), "node-compile-cache");

/** SST's components are not an npm dependency: `npm run platform` unpacks them. */
export const platformInstalled = existsSync(path.join(platform, "node_modules/@pulumi/pulumi"));
export const howToInstall = "needs SST's platform: run `npm run platform` once (about a minute)";

/** Every secret of the stack; a new one makes {@link declareStack} fail until it is named here and in docs/deploy.md. */
export const secretNames = [
  "AddressKey",
  "GoogleClientSecret",
  "LangfuseSecretKey",
  "ModelApiKey",
  "SessionKeyRing",
  "TicketKey",
  "VaultKeyRing",
] as const;

/** Everything the program declares, with resolved inputs. */
export interface DeclaredStack {
  /** What `app()` of sst.config.ts answers for the stage. */
  readonly app: Readonly<Record<string, unknown>>;
  readonly resources: readonly DeclaredResource[];
  readonly builds: readonly FunctionBuild[];
  /** Names of resources that stay when the stack is removed. */
  readonly retained: readonly string[];
}

/** Pulumi and the AWS SDK stay outside the bundle, found in the platform's own node_modules wherever the bundle lies. */
const externalsPlugin: Plugin = {
  name: "platform-externals",
  setup(plugin) {
    const require = createRequire(path.join(platform, "package.json"));
    plugin.onResolve({ filter: /^[^./]/ }, ({ path: specifier }) => {
      if (specifier.startsWith("node:") || path.isAbsolute(specifier)) return undefined;
      const resolved = require.resolve(specifier);
      return { path: path.isAbsolute(resolved) ? pathToFileURL(resolved).href : resolved, external: true };
    });
  },
};

/** What SST's CLI defines before anything else runs; modules of the platform read `$app` while they load. */
function prologue(stage: string, work: string): string {
  const paths = { home: work, root, work, platform };
  const cli = { command: "deploy", rpc: "", paths, state: { version: {} } };
  return `
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    Object.assign(globalThis, { $app: { stage: "${stage}" }, $cli: ${JSON.stringify(cli)}, $dev: false });
  `;
}

/** The program SST's CLI would generate around `sst.config.ts`. */
function program(work: string): string {
  const here = import.meta.dirname;
  return `
    import * as pulumi from "@pulumi/pulumi";
    import * as aws from "@pulumi/aws";
    import { writeFileSync } from "node:fs";
    import { run } from "${platform}/src/auto/run.ts";
    import * as sst from "${platform}/src/components/index.ts";
    import { recordingProvider } from "${here}/mock-provider.ts";
    import { startBuildServer } from "${here}/build-server.ts";
    import config from "${root}/sst.config.ts";
    Object.assign($app, config.app({ stage: $app.stage }));
    Object.assign(globalThis, { aws, sst });
    const resources = [], builds = [];
    process.env.SST_SERVER = await startBuildServer(builds, "${work}/out");
    await pulumi.runtime.setMocks(recordingProvider(resources), $app.name, $app.stage, false);
    const retained = [], monitor = pulumi.runtime.getMonitor(), register = monitor.registerResource.bind(monitor);
    monitor.registerResource = (request, callback) => {
      if (request.getRetainondelete()) retained.push(request.getName());
      return register(request, callback);
    };
    await pulumi.runtime.runInPulumiStack(() => run(config.run));
    process.once("exit", () => writeFileSync("${work}/stack.json", JSON.stringify({ app: $app, resources, builds, retained })));
  `;
}

/**
 * Runs the whole of `sst.config.ts` with SST's own components under Pulumi mocks, in a process of its own: the program
 * is done when that process has nothing left to do.
 * @param stage the stage to pretend; `production` differs from the others
 * @param environment what the deployer's environment sets (see infra/settings.ts); those of a local home when left out
 * @throws Error with what the program printed when it fails
 */
export async function declareStack(
  stage: string,
  environment: Readonly<Record<string, string>> = settingsOfThisMachine,
): Promise<DeclaredStack> {
  const work = await mkdtemp(path.join(tmpdir(), "scouts-stack-"));
  try {
    await mkdir(path.join(work, "out"));
    const outfile = path.join(work, "program.mjs");
    await build({
      stdin: { contents: program(work), resolveDir: root, loader: "ts" },
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "esnext",
      logLevel: "silent",
      inject: [path.join(platform, "src/shim/run.js")],
      plugins: [externalsPlugin],
      banner: { js: prologue(stage, work) },
    });
    const secrets = Object.fromEntries(secretNames.map((name) => [`SST_SECRET_${name}`, `value-of-${name}`]));
    const { PATH = "", HOME = "" } = process.env;
    await promisify(execFile)(process.execPath, [outfile], {
      // Every stack loads the same half of Pulumi: it is compiled once.
      env: { PATH, HOME, NODE_COMPILE_CACHE: compileCache, AWS_REGION: "us-east-1", ...secrets, ...environment },
      timeout: 60_000,
    });
    return JSON.parse(await readFile(path.join(work, "stack.json"), "utf8"));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
