import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Has the stack traces of this thread name the sources where they would name what was built of them.
 *
 * A map is read when a trace first needs it. Node's `--enable-source-maps` would read every map with its file, which takes longer
 * than loading that.
 *
 * @param builtFolder where what was built lies, each file with its map beside it
 */
export function nameSourcesInTraces(builtFolder: string): void {
  const maps = new Map<string, SourceMap>();
  const inSources = (site: NodeJS.CallSite): string => {
    const told = String(site);
    const name = site.getFileName() ?? "";
    const file = name.startsWith("file:") ? fileURLToPath(name) : name;
    if (!file.startsWith(builtFolder)) return told;
    const [line, column] = [site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0];
    const origin = mapOf(file, maps)?.findOrigin(line, column);
    if (origin === undefined || !("fileName" in origin)) return told;
    const source = resolve(dirname(file), origin.fileName);
    return told.replace(`${name}:${line}:${column}`, `${source}:${origin.lineNumber}:${origin.columnNumber}`);
  };
  Error.prepareStackTrace = (error, sites) =>
    [headerOf(error), ...sites.map((site) => `    at ${inSources(site)}`)].join("\n");
}

/** What V8 writes before the frames; an error may be made so that it cannot be told as text. */
function headerOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return "<error>"; // V8's own word for it
  }
}

function mapOf(file: string, maps: Map<string, SourceMap>): SourceMap | undefined {
  const known = maps.get(file);
  if (known) return known;
  try {
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
    maps.set(file, map);
    return map;
  } catch {
    return undefined; // A trace that names what was built is better than an error about an error.
  }
}
