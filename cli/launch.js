#!/usr/bin/env node
// Plain JavaScript, so that any Node can read it: the sources need Node 24, which the `node` package brings along.
import { spawn } from "node:child_process";
import nodeModule, { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const oldestMajor = 24;

/** Whether a version of Node ("24.1.0") runs the sources. */
const isRecent = (version) => Number(version.split(".")[0]) >= oldestMajor;

/** The Node of the `node` package, or undefined when it is not installed or too old itself. */
function bundledNode() {
  const require = createRequire(import.meta.url);
  try {
    if (!isRecent(require("node/package.json").version)) return undefined;
    const folder = path.dirname(require.resolve("node/package.json"));
    return path.join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  } catch {
    // It is not installed: whatever Node this is has to do.
    return undefined;
  }
}

function refuse() {
  process.stderr.write(
    `scouts: Node ${oldestMajor} or newer is needed, this is ${process.version}; run \`npm install\` in the checkout.\n`,
  );
  process.exitCode = 1;
}

/** Runs the program on another Node: terminal, signals, exit code are those of the child. */
function runOn(node) {
  // The channel tells the child when this process is killed outright, so that nothing is left running.
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal sends its signal to both: the child takes two within a second for one (signals.ts).
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", refuse);
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

if (isRecent(process.versions.node)) {
  // A start is mostly compiling: V8's code cache (in the temporary folder) saves a third of it.
  nodeModule.enableCompileCache();
  const { builtFolder, isBuilt } = await import(new URL("../infra/local/built/built-code.ts", import.meta.url).href);
  const built = isBuilt(fileURLToPath(new URL("../", import.meta.url)));
  if (built) {
    const { nameSourcesInTraces } = await import(
      new URL("../infra/local/built/source-frames.ts", import.meta.url).href
    );
    nameSourcesInTraces(builtFolder);
  }
  const { main } = await import(new URL(built ? "../dist/cli/main.js" : "./main.ts", import.meta.url).href);
  await main();
} else {
  const node = bundledNode();
  if (node === undefined) refuse();
  else runOn(node);
}
