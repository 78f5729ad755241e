#!/usr/bin/env node
// Plain JavaScript, so that any Node can read it: the sources need Node 24, which the `node` package brings along.
import { spawn } from "node:child_process";
import { accessSync, constants, readdirSync, readlinkSync } from "node:fs";
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

/**
 * The environment in which a home gives back what its threads have freed. glibc keeps it for each of them by itself, a hundred
 * megabytes after the first mail (decision 0400), and reads these settings (mallopt(3)) when a process begins, not later; a
 * person's own stand. Undefined where nothing is to be set: other commands end soon.
 */
function frugalEnvironment() {
  if (process.platform !== "linux" || process.argv[2] !== "up" || process.env["MALLOC_ARENA_MAX"] !== undefined) {
    return undefined;
  }
  return {
    MALLOC_ARENA_MAX: "1",
    MALLOC_MMAP_THRESHOLD_: "65536",
    MALLOC_TRIM_THRESHOLD_: "65536",
    MALLOC_TOP_PAD_: "65536",
    ...process.env,
  };
}

/**
 * Whether this process can begin anew as it is. A channel to the process above, files that it was given open, a debugger and a
 * profiler would be lost; and Node aborts when the system finds no Node where this one says it lies (`execve` itself may still be
 * forbidden, by a policy that lets Node run: then the process ends there).
 */
function canBeginAnew() {
  if (process.channel !== undefined || process.execArgv.length > 0 || process.env["NODE_OPTIONS"]) return false;
  if (!path.isAbsolute(process.execPath) || !path.basename(process.execPath).startsWith("node")) return false;
  try {
    accessSync(process.execPath, constants.X_OK);
    return readdirSync("/proc/self/fd").every((fd) => Number(fd) <= 2 || !isFile(fd));
  } catch {
    return false;
  }
}

/** Whether a descriptor is of something that has a path; the others are Node's own. One that ended meanwhile was the look's. */
function isFile(fd) {
  try {
    return /^\/(?!proc\/|dev\/null$)/.test(readlinkSync(`/proc/self/fd/${fd}`));
  } catch {
    return false;
  }
}

/** Begins this process anew in the environment it needs, where that is another; else it runs as well, with more memory. */
function beginFrugally() {
  const env = frugalEnvironment();
  if (env === undefined || !canBeginAnew()) return;
  process.execve(process.execPath, process.argv.with(0, process.execPath), env);
}

/**
 * Keeps a proxy that the environment has Node use (NODE_USE_ENV_PROXY) from what is on this machine, a home above all: it would look for
 * that on its own. https://nodejs.org/api/http.html#built-in-proxy-support
 */
function reachOwnMachineDirectly() {
  if (!process.env["NODE_USE_ENV_PROXY"]) return;
  const name = process.env["no_proxy"] === undefined ? "NO_PROXY" : "no_proxy";
  const others = process.env[name]?.trim();
  // All is reached directly already; as one of several entries a star means nothing.
  if (others === "*") return;
  const own = "127.0.0.1,localhost,::1";
  process.env[name] = others ? `${others},${own}` : own;
}

/** How often it is looked whether npm's shell is still there. */
const lookMs = 1_000;

/**
 * Calls `listener` once when the shell is no more in which npm has begun this (`npx scouts up`, `npm start`). npm passes SIGTERM to
 * that shell alone, which ends of it and tells nobody. Whoever begins this otherwise may leave it running on purpose (`nohup … &`).
 * https://docs.npmjs.com/cli/v11/using-npm/scripts#environment
 */
function whenLeftByNpm(listener) {
  const script = process.env["npm_lifecycle_script"] ?? "";
  if (process.channel !== undefined || !/\b(scouts|launch\.js)\b/.test(script)) return;
  const shell = process.ppid;
  const looks = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(looks);
    listener();
  }, lookMs);
  looks.unref();
}

/** As in device/exit-codes.ts, which is not loaded yet. */
const interruptedCode = 130;

/**
 * Hears who interrupts while the program is still being loaded, which takes a moment: the system would end it without a word.
 *
 * @returns to be called when the program hears it itself (signals.ts)
 */
function hearEarlyInterruption() {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const end = () => {
    process.stderr.write(
      "scouts: Interrupted before it had begun; nothing was done. Run the same command again. (interrupted)\n",
    );
    process.exit(interruptedCode);
  };
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

/** Runs the program on another Node: terminal, signals, exit code are those of the child. */
function runOn(node) {
  // The channel tells the child when this process is killed outright, so that nothing is left running.
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: frugalEnvironment() ?? process.env,
  });
  // A terminal sends its signal to both: the child takes two within a second for one (signals.ts).
  let isTold = false;
  const tell = (signal) => {
    isTold = true;
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, tell);
  whenLeftByNpm(() => {
    if (!isTold) tell("SIGTERM");
  });
  child.on("error", refuse);
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

if (process.argv.length === 3 && ["--version", "-V"].includes(process.argv[2])) {
  // Others ask for it to learn whether the program is there; it needs none of it, and not the newer Node.
  process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));
  process.stdout.write(`${createRequire(import.meta.url)("../package.json").version}\n`);
} else if (isRecent(process.versions.node)) {
  beginFrugally();
  const begun = hearEarlyInterruption();
  // A start is mostly compiling: V8's code cache saves a third of it.
  const { codeCacheFolder } = await import(new URL("../infra/local/built/code-cache.ts", import.meta.url).href);
  const codeCache = codeCacheFolder();
  if (codeCache !== undefined) nodeModule.enableCompileCache(codeCache);
  reachOwnMachineDirectly();
  const { builtFolder, isBuilt } = await import(new URL("../infra/local/built/built-code.ts", import.meta.url).href);
  const built = isBuilt(fileURLToPath(new URL("../", import.meta.url)));
  if (built) {
    const { nameSourcesInTraces } = await import(
      new URL("../infra/local/built/source-frames.ts", import.meta.url).href
    );
    nameSourcesInTraces(builtFolder);
  }
  const { main } = await import(new URL(built ? "../dist/cli/main.js" : "./main.ts", import.meta.url).href);
  // A signal that came meanwhile is heard when all else has its turn, and not while modules are compiled.
  await new Promise((resolve) => setImmediate(resolve));
  const running = main(whenLeftByNpm);
  begun();
  await running;
} else {
  const node = bundledNode();
  if (node === undefined) refuse();
  else runOn(node);
}
