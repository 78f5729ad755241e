import { channel } from "node:diagnostics_channel";
import { createRequire, enableCompileCache, flushCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { nameSourcesInTraces } from "../built/source-frames.ts";
import type { CrashPoint } from "../faults.ts";
import { type Invoke, summarise, type ThreadData, type ThreadMessage } from "./protocol.ts";

/** The thread of one function: loads the handler once, then handles one event at a time. */
const data: ThreadData = workerData;
const send = (message: ThreadMessage) => parentPort?.postMessage(message);

let crash: CrashPoint | undefined;
let calls = 0;

/** Ends the thread at the chosen outgoing call, as if Lambda had lost the environment there. */
const dieIf = (when: CrashPoint["when"]) => () => {
  const call = when === "before" ? calls++ : calls - 1;
  if (crash && crash.when === when && crash.call <= call) process.exit(1);
};
for (const name of ["http.client.request.created", "undici:request:create"]) {
  channel(name).subscribe(dieIf("before"));
}
for (const name of ["http.client.response.finish", "undici:request:headers"]) {
  channel(name).subscribe(dieIf("after"));
}

function context({ requestId, timeoutMs }: Invoke) {
  const endsAtMs = performance.now() + timeoutMs;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: data.functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: data.functionArn,
    memoryLimitInMB: String(data.memoryMb),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${data.functionName}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(endsAtMs - performance.now())),
  };
}

if (data.builtFolder !== undefined) nameSourcesInTraces(data.builtFolder);
// A cold start is mostly compiling the AWS SDK; V8's code cache saves a third of it.
if (data.codeCache !== undefined) enableCompileCache(data.codeCache);
// `import` would first read all of a bundle for the names it exports.
const handler: unknown = createRequire(data.file)(data.file)[data.exportName];
if (typeof handler !== "function") throw new Error(`${data.file} exports no function "${data.exportName}".`);

/** What has been compiled is kept for later threads, that of the first event included; a thread is ended without notice. */
const keepCompiled = once(flushCompileCache);

parentPort?.on("message", async (invoke: Invoke) => {
  crash = invoke.crash;
  calls = 0;
  const { requestId } = invoke;
  try {
    const result: unknown = await handler(JSON.parse(invoke.event), context(invoke));
    send({ type: "result", requestId, result: JSON.stringify(result) ?? "null" });
  } catch (error) {
    send({ type: "failed", requestId, error: summarise(error) });
  }
  keepCompiled();
});
send({ type: "ready" });

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
