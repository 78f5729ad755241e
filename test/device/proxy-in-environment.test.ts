import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { startProgram } from "../e2e/program.ts";
import { temporaryFolder } from "./setting.ts";

/** The discard port, on which nobody listens. */
const noProxy = "http://127.0.0.1:9";

test("a home on this machine is reached directly, whatever proxy the environment has Node use", async () => {
  let asked = 0;
  const home = await serveLoopback(() => {
    asked += 1;
    return json(200, { status: "ok" });
  });
  onTestFinished(() => home.close());
  const words = ["doctor", "--json", "--api", home.url, "--data", temporaryFolder()];
  for (const own of [{}, { no_proxy: "intranet.example" }]) {
    asked = 0;
    const environment = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: noProxy, ...own };
    const { stdout, stderr } = await startProgram(words, environment).ended();
    const checks: { name: string; state: string }[] = JSON.parse(stdout).checks;
    expect(
      checks.find(({ name }) => name === "home"),
      stderr,
    ).toMatchObject({ state: "ok" });
    expect(asked).toBeGreaterThan(0);
  }
});

test("where all is to be reached directly, nothing is sent to the proxy", async () => {
  let asked = 0;
  const proxy = createServer((socket) => {
    asked += 1;
    socket.destroy();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const words = ["doctor", "--json", "--api", "https://home.invalid", "--data", temporaryFolder()];
  const environment = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: url, HTTPS_PROXY: url };
  await startProgram(words, environment).ended();
  expect(asked).toBeGreaterThan(0);
  asked = 0;
  await startProgram(words, { ...environment, NO_PROXY: "*" }).ended();
  expect(asked).toBe(0);
});

test("nothing silent: a proxy that takes what is sent and closes is given up, and that is said", async () => {
  let asked = 0;
  const proxy = createServer((socket) => {
    asked += 1;
    // Whoever is killed resets it.
    socket.on("error", () => {});
    socket.once("data", () => socket.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const words = ["doctor", "--json", "--api", "https://home.invalid", "--data", temporaryFolder()];
  const environment = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: url, HTTPS_PROXY: url };
  const { stdout, stderr } = await startProgram(words, environment).ended();
  expect(stderr).toMatch(/^scouts: The proxy .* closes every connection to home\.invalid\. .*NO_PROXY\.\n$/);
  const checks: { name: string; state: string; detail: string }[] = JSON.parse(stdout).checks;
  expect(checks.find(({ name }) => name === "home")).toMatchObject({ state: "fail" });
  expect(asked).toBeGreaterThan(0);
  // So many for each of the few requests a check makes; without a bound it was thousands a second.
  expect(asked).toBeLessThan(500);
});
