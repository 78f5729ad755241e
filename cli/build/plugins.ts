import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "esbuild";
import { builtFolder } from "../../infra/local/built/built-code.ts";

/** Where the parts of the command line go. */
export const programFolder = path.join(builtFolder, "cli");

const place = /\bimport\.meta\.(url|dirname)\b/g;

/**
 * What a source finds beside itself (a thread's program, weights, migrations) it finds from the bundle as well: where a source
 * asks for its own place it is told that of the source.
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
      const contents = text.replaceAll(place, (_, name) => (name === "dirname" ? folder : `${url}.href`));
      return { contents, loader: "ts" };
    });
  },
};

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
