import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Home, type HomeOptions, startHome } from "../../infra/local/home.ts";
import { type Observer, startObserver } from "./observer.ts";

export const fixtureConfig = fileURLToPath(new URL("./fixtures/sst.config.js", import.meta.url));

export interface Fixture {
  home: Home;
  observer: Observer;
  dataDir: string;
  /** Stops the home and starts another one on the same data folder. */
  restart(overrides?: Partial<HomeOptions>): Promise<Home>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The fixture system on a data folder of its own. */
export async function startFixture(overrides: Partial<HomeOptions> = {}): Promise<Fixture> {
  const observer = await startObserver();
  const dataDir = await mkdtemp(join(tmpdir(), "local-home-"));
  const options: HomeOptions = {
    dataDir,
    port: 0,
    deploy: { OBSERVER_URL: observer.url, ...overrides.deploy },
    secrets: { Pepper: "black" },
    endpoints: { kms: { url: "http://127.0.0.1:1", accessKeyId: "none" } },
    configFile: fixtureConfig,
    timers: false,
    backOffMs: () => 1,
  };
  const { deploy: _, ...rest } = overrides;
  const fixture: Fixture = {
    home: await startHome({ ...options, ...rest }),
    observer,
    dataDir,
    async restart(more = {}) {
      await fixture.home.stop();
      fixture.home = await startHome({ ...options, ...rest, ...more });
      return fixture.home;
    },
    async [Symbol.asyncDispose]() {
      await fixture.home.stop();
      await observer.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return fixture;
}
