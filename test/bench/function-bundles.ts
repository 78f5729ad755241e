import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";
import { functionDefaults } from "../../infra/functions.ts";

const root = path.resolve(import.meta.dirname, "../..");

const alwaysExternal = ["sharp", "pg-native"];
const { minify, esbuild: chosen } = functionDefaults.nodejs;

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
  readonly bytes: number;
  /** Bytes each npm package (or `scouts`, for our own code) brings in, largest first. */
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
  const outfile = path.join(folder, `${name.replaceAll("/", "-")}.mjs`);
  const { metafile } = await build({
    ...sstOptions,
    outfile,
    metafile: true,
    ...("file" in source
      ? { entryPoints: [source.file] }
      : { stdin: { contents: source.contents, resolveDir: root }, external: alwaysExternal }),
  });
  const [output] = Object.values(metafile.outputs);
  if (!output) throw new Error(`esbuild wrote no bundle of ${name}`);
  const packages = new Map<string, number>();
  for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
    const owner = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? "scouts";
    packages.set(owner, (packages.get(owner) ?? 0) + bytesInOutput);
  }
  return { name, file: outfile, bytes: output.bytes, packages: [...packages].sort(([, a], [, b]) => b - a) };
}
