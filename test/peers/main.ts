import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { peersHere } from "./imap/here.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What each kind of source finds on this machine. */
const kinds: Readonly<Record<string, () => Promise<readonly { readonly name: string }[]>>> = { imap: peersHere };

/**
 * `npm run peers -- imap`: proves a connector on servers that others wrote, as far as they are installed. Installs
 * nothing; exits with 1 when a test fails, and with 2 when there is no server to prove it on.
 */
async function main([kind = ""]: readonly string[]): Promise<number> {
  const find = kinds[kind];
  if (!find) {
    process.stderr.write(`Name what to prove: npm run peers -- ${Object.keys(kinds).join(" | ")}\n`);
    return 2;
  }
  const found = await find();
  if (found.length === 0) return 2;
  const suites = globSync(`test/peers/${kind}/*.peer.ts`, { cwd: root }).sort();
  process.stdout.write(`servers: ${found.map(({ name }) => name).join(", ")}\nsuites: ${suites.join(", ")}\n`);
  const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
  const config = ["run", "--config", "test/peers/vitest.config.ts", "--reporter", "verbose"];
  const running = spawn(process.execPath, [vitest, ...config, ...suites], { cwd: root, stdio: "inherit" });
  return new Promise((resolve) => running.once("exit", (code) => resolve(code ?? 1)));
}

process.exitCode = await main(process.argv.slice(2));
