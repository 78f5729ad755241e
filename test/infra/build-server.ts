import { createServer } from "node:http";

/** A function as SST hands it to its bundler: its handler and what it is linked to. */
export interface FunctionBuild {
  readonly functionID: string;
  readonly handler: string;
  readonly runtime: string;
  readonly links: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Call {
  readonly method: string;
  readonly params: readonly [FunctionBuild];
}

const bootstrap = {
  asset: "sst-asset",
  assetEcrRegistryId: "0",
  assetEcrUrl: "mock.dkr.ecr",
  state: "sst-state",
  appsyncHttp: "",
  appsyncRealtime: "",
};

/**
 * Stands where the `sst` process would: answers the two calls that SST's components make while a program runs and
 * writes down every function that was to be built. Nothing is built: `outputDirectory` is empty.
 * The server never keeps its process alive.
 * @returns the value for `SST_SERVER`
 */
export async function startBuildServer(builds: FunctionBuild[], outputDirectory: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, params }: Call = JSON.parse(Buffer.concat(chunks).toString());
    response.setHeader("connection", "close");
    if (method === "Provider.Aws.Bootstrap") {
      response.end(JSON.stringify({ result: bootstrap }));
    } else if (method === "Runtime.Build") {
      builds.push(params[0]);
      const result = { handler: params[0].handler, out: outputDirectory, errors: [], sourcemaps: [] };
      response.end(JSON.stringify({ result }));
    } else {
      response.end(JSON.stringify({ error: `rpc: can't find method ${method}` }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the build server listens on no port");
  return `http://127.0.0.1:${address.port}`;
}
