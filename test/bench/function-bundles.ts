import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { functionDefaults } from "../../infra/functions.ts";

const root = path.resolve(import.meta.dirname, "../..");

const alwaysExternal = ["sharp", "pg-native"];
const { minify, splitting, esbuild: chosen } = functionDefaults.nodejs;

/**
 * How SST 4 bundles a Node function whose format is ESM (sst/sst, pkg/runtime/node/build.go): names are kept, and
 * CommonJS dependencies find a `require`.
 */
export const sstOptions: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "esnext",
  mainFields: ["module", "main"],
  external: [...alwaysExternal, ...chosen.external],
  keepNames: true,
  minify,
  metafile: true,
  logLevel: "silent",
  banner: {
    js: [
      `import { createRequire as topLevelCreateRequire } from 'module';`,
      "const require = topLevelCreateRequire(import.meta.url);",
      `import { fileURLToPath as topLevelFileUrlToPath, URL as topLevelURL } from "url"`,
      "const __filename = topLevelFileUrlToPath(import.meta.url)",
      `const __dirname = topLevelFileUrlToPath(new topLevelURL(".", import.meta.url))`,
    ].join("\n"),
  },
};

export interface Bundle {
  /** `webhook/gmail` for `functions/webhook/gmail.ts`. */
  readonly name: string;
  readonly file: string;
  /** What a start loads: its file and all that this imports at once. */
  readonly bytes: number;
  /** What lies beside it and is loaded when it is needed. */
  readonly laterBytes: number;
  /** Of what a start loads, bytes each npm package (or `scouts`, for our own code) brings in, largest first. */
  readonly packages: readonly [name: string, bytes: number][];
}

/** The handlers that infra/ names, as paths of their source files. */
export function deployedHandlers(): string[] {
  const infra = globSync("infra/{*,imap/*}.ts", { cwd: root }).map((file) =>
    readFileSync(path.join(root, file), "utf8"),
  );
  const named = infra.flatMap((text) => [...text.matchAll(/handler: "(functions\/[\w/-]+)\.\w+"/g)]);
  return [...new Set(named.map(([, file]) => `${file}.ts`))].sort();
}

export const isWritten = (file: string) => existsSync(path.join(root, file));

/** Bundles a source file as it is deployed, or a program given as text as SST does by default. */
export async function bundle(
  name: string,
  source: { file: string } | { contents: string },
  folder: string,
): Promise<Bundle> {
  const { metafile } = await build({
    ...sstOptions,
    outdir: path.join(folder, name.replaceAll("/", "-")),
    outExtension: { ".js": ".mjs" },
    metafile: true,
    ...("file" in source
      ? { entryPoints: [source.file], splitting }
      : { stdin: { contents: source.contents, resolveDir: root }, external: alwaysExternal }),
  });
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find(
    (file) => outputs[file]?.entryPoint === ("file" in source ? source.file : "<stdin>"),
  );
  if (entry === undefined) throw new Error(`esbuild wrote no bundle of ${name}`);
  const loaded = loadedAtOnce(outputs, entry);
  const packages = new Map<string, number>();
  for (const file of loaded) {
    for (const [input, { bytesInOutput }] of Object.entries(outputs[file]?.inputs ?? {})) {
      const owner = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? "scouts";
      packages.set(owner, (packages.get(owner) ?? 0) + bytesInOutput);
    }
  }
  const sizeOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
  const bytes = sizeOf(loaded);
  return {
    name,
    file: path.join(root, entry),
    bytes,
    laterBytes: sizeOf(Object.keys(outputs)) - bytes,
    packages: [...packages].sort(([, a], [, b]) => b - a),
  };
}

/** A file, and those that it and they import by a statement. */
function loadedAtOnce(outputs: Metafile["outputs"], entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const { path: imported, kind } of outputs[file]?.imports ?? []) {
      if (kind === "import-statement" && imported in outputs) loaded.add(imported);
    }
  }
  return loaded;
}
