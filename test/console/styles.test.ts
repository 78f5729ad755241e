import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const page = fileURLToPath(new URL("../../device/console/page/", import.meta.url));
const sheets = globSync("**/*.css", { cwd: page, exclude: (name) => name === "dist" });

/** Each sheet with how often it says something. */
const saying = (what: RegExp) =>
  sheets.flatMap((sheet) => {
    const count = [...readFileSync(`${page}${sheet}`, "utf8").matchAll(what)].length;
    return count === 0 ? [] : [[sheet, count]];
  });

it("what is heard and not seen, and what is shown where the system chooses the colours, is said in one place each", () => {
  expect(sheets.length).toBeGreaterThan(10);
  expect(saying(/clip-path/g)).toEqual([["app/little-room.css", 1]]);
  expect(saying(/forced-colors/g)).toEqual([["app/forced-colors.css", 1]]);
});
