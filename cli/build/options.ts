import path from "node:path";
import type { BuildOptions } from "esbuild";
import { builtFolder, repositoryRoot } from "../../infra/local/built/built-code.ts";
import { builtinsAsTheyAre, plainAscii, programFolder, whereSourcesLie } from "./plugins.ts";

/**
 * What both bundles share. Names stay as they are written: they are in logs (`errorType`), and shorter ones save nothing that
 * can be measured.
 */
const shared = {
  absWorkingDir: repositoryRoot,
  bundle: true,
  platform: "node",
  target: "node24",
  mainFields: ["module", "main"],
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: "external",
  sourcesContent: false,
  // Beside the code: one name with an umlaut in a licence would make V8 keep all of a file at two bytes a character.
  legalComments: "external",
  metafile: true,
  logLevel: "warning",
} as const satisfies BuildOptions;

/**
 * What threads of a home run, each a file of its own: V8's code cache keeps of a file what the first thread used of it, which is
 * what every later one uses. CommonJS, because its `require` of a built-in module makes nothing but that module.
 */
export const homeOptions = {
  ...shared,
  format: "cjs",
  plugins: [builtinsAsTheyAre, plainAscii],
  outbase: repositoryRoot,
  outdir: builtFolder,
  outExtension: { ".js": ".cjs" },
} as const satisfies BuildOptions;

/** Packages that look for files of their own beside them, or hold code of the machine's. */
const leftWhereTheyLie = [
  "@duckdb/node-api",
  "@jsquash/*",
  "@sparticuz/chromium",
  "dynalite",
  "fauxqs",
  "mammoth",
  "playwright-core",
  "sqlite-vec",
  "unpdf",
  "vite",
];

const inProgramFolder = {
  ...shared,
  format: "esm",
  outdir: programFolder,
  external: leftWhereTheyLie,
  plugins: [whereSourcesLie, plainAscii, builtinsAsTheyAre],
  // Packages in CommonJS ask for these.
  banner: {
    js: 'import { createRequire as createRequireOfBundle } from "node:module";const require=createRequireOfBundle(import.meta.url),__filename=import.meta.filename,__dirname=import.meta.dirname;',
  },
} as const satisfies BuildOptions;

/** The command line, in parts that are loaded when a command needs them. */
export const programOptions = {
  ...inProgramFolder,
  splitting: true,
  entryPoints: [path.join(repositoryRoot, "cli/main.ts")],
} as const satisfies BuildOptions;

/** The threads of a device: what each runs begins many times while a folder is read. */
export const threadSources = [
  "device/files/backends/fs/fs-search-worker",
  "device/files/backends/fs/fs-snapshot-worker",
  "device/folders/extraction/extraction-worker",
  "device/knowledge/index/index-worker",
] as const;

/** What they run, each a file of its own beside the command line. */
export const threadOptions = {
  ...inProgramFolder,
  entryPoints: threadSources.map((source) => path.join(repositoryRoot, `${source}.ts`)),
  splitting: true,
  entryNames: "[name]",
} as const satisfies BuildOptions;
