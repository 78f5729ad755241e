import { execFileSync } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const checkout = fileURLToPath(new URL("../../", import.meta.url));
const built = `${checkout}device/console/page/dist/index.html`;

const changedAt = (file: string) => statSync(file).mtimeMs;
const sources = [
  `${checkout}package-lock.json`,
  ...globSync("device/console/page/**/*.{ts,tsx,css,html,json,svg}", { cwd: checkout })
    .filter((file) => !file.includes("/dist/"))
    .map((file) => `${checkout}${file}`),
];

// As a person builds it: a test's own NODE_ENV would make another page of it.
if (!existsSync(built) || Math.max(...sources.map(changedAt)) > changedAt(built)) {
  execFileSync("npm", ["run", "--silent", "build:page"], {
    cwd: checkout,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
}
