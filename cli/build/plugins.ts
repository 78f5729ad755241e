import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "esbuild";
import { builtFolder } from "../../infra/local/built/built-code.ts";

/** Where the parts of the command line go. */
export const programFolder = path.join(builtFolder, "cli");

const place = /\bimport\.meta\.(url|dirname)\b/g;
/** Stands for `import.meta.url` of the bundle while those of the source are replaced. */
const bundle = "__urlOfBundle";
const threadsPlace = /\bnew URL\("([^"]+-worker)\.ts", import\.meta\.url\)/g;

/**
 * What a source finds beside itself (weights, migrations) it finds from the bundle as well: where a source asks for its own place it
 * is told that of the source. The program of a thread is a bundle beside this one.
 */
export const whereSourcesLie: Plugin = {
  name: "where-sources-lie",
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      if (text.search(place) === -1) return undefined;
      // Every part of the bundle lies in one folder.
      const away = path.relative(programFolder, file).split(path.sep).join("/");
      const url = `new URL(${JSON.stringify(away)}, import.meta.url)`;
      const folder = `process.getBuiltinModule("node:path").dirname(process.getBuiltinModule("node:url").fileURLToPath(${url}))`;
      const contents = text
        .replaceAll(threadsPlace, (_, thread) => `new URL("./${path.posix.basename(thread)}.js", ${bundle})`)
        .replaceAll(place, (_, name) => (name === "dirname" ? folder : `${url}.href`))
        .replaceAll(bundle, "import.meta.url");
      return { contents: inAscii(contents), loader: "ts" };
    });
  },
};

/**
 * V8 keeps a file at one byte a character only if all of it is Latin-1, and Node decodes it quickly only if it is ASCII. esbuild writes
 * strings in ASCII but leaves regular expressions as they are: one word in one of them doubles what a bundle of 3 MB takes.
 */
export const plainAscii: Plugin = {
  name: "plain-ascii",
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const contents = inAscii(text);
      return contents === text ? undefined : { contents, loader: "ts" };
    });
  },
};

/** A backslash before a character that is to be escaped would escape the escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const escapedAlready = /\\[^\x00-\x7f]/;

/**
 * The same program: an escape says the same in a string, an expression and a name. Not in `String.raw`, nor behind a backslash, so a
 * file with one of these stays.
 */
export function inAscii(program: string): string {
  if (program.includes("String.raw") || escapedAlready.test(program)) return program;
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // Without the flag u: an astral character is two escapes, which is one character again wherever it was one.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  return program.replace(/[^\x00-\x7f]/g, escaped);
}

/**
 * `import … from "node:http"` reads every name the module has, and one of them (`WebSocket`) loads Node's client of `fetch`, a
 * twentieth of a start. To ask for the module itself reads none.
 */
export const builtinsAsTheyAre: Plugin = {
  name: "builtins-as-they-are",
  setup(bundler) {
    bundler.onResolve({ filter: /^(node:)?https?$/ }, ({ path: name }) => ({
      path: name.replace(/^node:/, ""),
      namespace: "builtin",
    }));
    bundler.onLoad({ filter: /^/, namespace: "builtin" }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(`node:${name}`)});`,
      loader: "js",
    }));
  },
};
