import { expect, test } from "vitest";
import { toolsOn } from "./setting.ts";

test("a tool whose program is missing says so and what to do", async () => {
  const { scouts } = toolsOn({ "a.txt": "a\n" });
  await scouts("allow", "lint", "--", "no-such-program-anywhere");
  const { code, stdout } = await scouts("run", "lint", "--project", "Garden");
  expect(code).toBe(1);
  expect(stdout).toContain(
    "it could not be started: there is no such program, or what its first line names is missing; " +
      "install it, or scouts tool allow --replace (ENOENT)\n",
  );
});
