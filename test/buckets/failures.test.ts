import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isDeviceError } from "../../device/errors.ts";
import { openFolder } from "../../device/files/place/folder-place.ts";
import { rememberFolder } from "../../device/folders/indexer/link-folder.ts";
import { startScan } from "../../device/folders/scanner/start-scan.ts";
import { settledNow } from "../device/scanner/setting.ts";
import { temporaryStore } from "../device/setting.ts";
import { scoutsHere } from "../e2e/program.ts";
import { bytes, collect, expectCode, text } from "../files/expect-code.ts";
import { quick } from "../rounds.ts";
import { type ExactService, type Fault, refusal, startService } from "./exact-service.ts";

const named = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL", "AWS_MAX_ATTEMPTS"] as const;
const secret = "canary-of-a-secret-key";
beforeEach(() => {
  process.env["AWS_ACCESS_KEY_ID"] = "canary-of-a-key-id";
  process.env["AWS_SECRET_ACCESS_KEY"] = secret;
  process.env["AWS_EC2_METADATA_DISABLED"] = "true";
  process.env["AWS_CONFIG_FILE"] = "/dev/null";
  process.env["AWS_SHARED_CREDENTIALS_FILE"] = "/dev/null";
});
afterEach(() => {
  for (const name of named) delete process.env[name];
});

const tree = { "a.md": "The pump is in the shed.", "plans/b.md": "Beds." };

/** The code a person is told when a bucket of this address is to be linked. */
async function linkingCode(address: string): Promise<string> {
  const store = temporaryStore();
  const project = store.projects.add("Garden");
  try {
    await rememberFolder(store, project, address);
    return "linked";
  } catch (error) {
    expect(store.projects.get(project.id).folderPath).toBeNull();
    return isDeviceError(error) ? error.code : String(error);
  }
}

const always = async (fault: Fault): Promise<ExactService> => {
  const service = await startService(tree);
  service.fault = () => fault;
  return service;
};

describe("what keeps a bucket from being linked is told by its code, and nothing is changed", () => {
  const elsewhere = { "x-amz-bucket-region": "eu-central-1" };
  test.each<readonly [string, Fault]>([
    ["bucket_denied", refusal(403, "AccessDenied")],
    ["bucket_credentials", refusal(403, "InvalidAccessKeyId")],
    ["bucket_credentials", refusal(403, "SignatureDoesNotMatch")],
    ["bucket_credentials", refusal(403, "RequestTimeTooSkewed")],
    ["bucket_credentials", refusal(400, "ExpiredToken")],
    ["folder_not_found", refusal(404, "NoSuchBucket")],
    ["bucket_region", refusal(301, "PermanentRedirect", elsewhere)],
    ["bucket_region", refusal(400, "AuthorizationHeaderMalformed", {}, "<Region>eu-central-1</Region>")],
    ["bucket_unreachable", { status: 200, body: "<html><body>Welcome</body></html>" }],
    ["bucket_unreachable", { status: 404, body: "<html><body>Not here</body></html>" }],
  ])("%s", async (code, fault) => {
    expect(await linkingCode((await always(fault)).address())).toBe(code);
  });

  test("an address where nobody listens, and a prefix with nothing in it", async () => {
    expect(await linkingCode("s3://garden/docs?endpoint=http://127.0.0.1:1&region=us-east-1")).toBe(
      "bucket_unreachable",
    );
    const { endpoint } = await startService(tree);
    expect(await linkingCode(`s3://garden/dosc?endpoint=${endpoint}`)).toBe("folder_not_found");
  });

  test("no credentials: nothing is sent", async () => {
    for (const name of named) delete process.env[name];
    const service = await startService(tree);
    expect(await linkingCode(service.address())).toBe("bucket_credentials");
    expect(service.requests).toEqual([]);
  });

  test("an endpoint of the environment that is not encrypted: nothing is sent", async () => {
    process.env["AWS_ENDPOINT_URL"] = "http://10.0.0.1:9000";
    expect(await linkingCode("s3://garden/docs")).toBe("address_insecure");
  });
});

test("the region a service names is told", async () => {
  const service = await always(refusal(301, "PermanentRedirect", { "x-amz-bucket-region": "eu-central-1" }));
  const store = temporaryStore();
  const linking = rememberFolder(store, store.projects.add("Garden"), service.address("&region=us-east-1"));
  await expect(linking).rejects.toThrow("link it again with --region eu-central-1");
});

test("a service that asks for patience is asked again", async () => {
  const service = await startService(tree);
  let refused = 0;
  service.fault = () => (refused++ < 2 ? refusal(503, "SlowDown") : undefined);
  expect(await linkingCode(service.address())).toBe("linked");
  expect(service.requests.length).toBe(3);
});

// The pauses of the SDK's retries grow to seconds.
test.skipIf(quick)("a service that goes on asking for patience is told of", async () => {
  const service = await always(refusal(503, "SlowDown"));
  expect(await linkingCode(service.address())).toBe("bucket_busy");
  expect(service.requests.length).toBe(5);
});

describe("a scan of a bucket that fails under it", () => {
  async function linked(service: ExactService) {
    const store = temporaryStore();
    const { id } = store.projects.add("Garden");
    await rememberFolder(store, store.projects.get(id), service.address());
    const scan = async () => {
      const started = await startScan({ store, projectId: id, now: settledNow });
      started.finish({ status: "completed" });
      return started.result;
    };
    await scan();
    const paths = () => store.folderFiles.list(id).map(({ relativePath }) => relativePath);
    return { store, id, scan, paths };
  }

  test("keeps what is known, and says in the list of projects what is wrong", async () => {
    const service = await startService(tree);
    const { store, scan, paths } = await linked(service);
    service.fault = ({ key }) => (key.startsWith("docs/plans") ? refusal(403, "AccessDenied") : undefined);
    await scan();
    expect(paths()).toEqual(["a.md", "plans/b.md"]);
    // They expire in the middle: what was not seen is not gone.
    service.fault = ({ key }) => (key.startsWith("docs/plans") ? refusal(403, "ExpiredToken") : undefined);
    await expect(scan()).rejects.toMatchObject({ code: "bucket_credentials" });
    expect(paths()).toEqual(["a.md", "plans/b.md"]);
    const { stdout } = await scoutsHere(["project", "list", "--data", store.dataFolder]);
    expect(stdout).toContain("(bucket_credentials)");
    service.fault = () => undefined;
    expect((await scan()).unchanged).toBe(2);
  });

  test("keeps what is known when the same place is linked in another way, and forgets it for another place", async () => {
    const service = await startService(tree);
    await service.objects.put("other/c.md", bytes("Elsewhere."), { mode: 0o644 });
    const { store, id, paths } = await linked(service);
    await rememberFolder(store, store.projects.get(id), service.address("&region=eu-west-1&writable=true"));
    expect(paths()).toEqual(["a.md", "plans/b.md"]);
    expect(store.projects.get(id).folderPath).toContain("writable=true");
    await rememberFolder(store, store.projects.get(id), service.address().replace("/docs", "/other"));
    expect(paths()).toEqual([]);
  });

  test("reads several files at once, and the manifest is as if it were one after the other", async () => {
    const names = Array.from({ length: 30 }, (_, at) => `${String(at).padStart(2, "0")}.md`);
    const service = await startService(Object.fromEntries(names.map((name) => [name, `This is ${name}.`])));
    const several = Promise.withResolvers<undefined>();
    let asked = 0;
    service.fault = ({ method, key }) => {
      if (method !== "GET" || !key.endsWith(".md")) return undefined;
      if (++asked === 8) several.resolve(undefined);
      return several.promise;
    };
    const { paths } = await linked(service);
    expect(paths()).toEqual(names);
  });

  test("does not take an emptied prefix for a folder without files", async () => {
    const service = await startService(tree);
    const { scan, paths } = await linked(service);
    service.objects.objects.clear();
    await expect(scan()).rejects.toMatchObject({ code: "folder_not_found" });
    expect(paths()).toEqual(["a.md", "plans/b.md"]);
  });

  test("takes a file that goes while it is read for gone, and one that changes as it is then", async () => {
    const service = await startService(tree);
    const { scan, paths, store, id } = await linked(service);
    await service.objects.put("docs/a.md", bytes("Another pump."), { mode: 0o644 });
    await service.objects.put("docs/plans/b.md", bytes("Other beds."), { mode: 0o644 });
    const done = new Set<string>();
    service.fault = ({ method, key }) => {
      if (method !== "GET" || done.has(key)) return undefined;
      done.add(key);
      if (key === "docs/plans/b.md") void service.objects.delete(key);
      if (key === "docs/a.md") void service.objects.put(key, bytes("A third pump."), { mode: 0o644 });
      return undefined;
    };
    await scan();
    await scan();
    expect(paths()).toEqual(["a.md"]);
    expect(store.folderFiles.list(id)[0]?.sizeBytes).toBe("A third pump.".length);
  });
});

test("a listing of ten thousand keys is read page by page, and one that repeats itself ends", async () => {
  const keys = Array.from({ length: 10_001 }, (_, at) => [`many/${String(at).padStart(5, "0")}.md`, "x"] as const);
  const service = await startService(Object.fromEntries(keys));
  const files = openFolder(service.address());
  expect((await files.listDir("many")).length).toBe(10_001);
  expect(service.requests.length).toBe(11);
  const again = "<NextContinuationToken>t</NextContinuationToken>";
  service.fault = () => ({ status: 200, body: `<ListBucketResult><Name>garden</Name>${again}</ListBucketResult>` });
  await expectCode(files.listDir("many"), "StorageFailed");
});

describe("a connection that breaks", () => {
  test("in the middle of a file: it is read again, whole or not at all", async () => {
    const service = await startService(tree);
    const files = openFolder(service.address());
    let cuts = 0;
    service.fault = ({ method }) => (method === "GET" && cuts++ < 2 ? "cut" : undefined);
    expect(text(await files.read("a.md"))).toBe(tree["a.md"]);
    service.fault = ({ method }) => (method === "GET" ? "cut" : undefined);
    await expectCode(files.read("a.md"), "StorageFailed");
  });

  test("after a write was stored: its own write is no conflict, another's is", async () => {
    const service = await startService(tree);
    const files = openFolder(service.address("&writable=true"));
    const { version } = await files.metadata("a.md");
    let cuts = 0;
    service.fault = ({ method }) => (method === "PUT" && cuts++ === 0 ? "cut_after_storing" : undefined);
    await files.write("a.md", bytes("mine"), { ifVersion: version });
    expect(text(await files.read("a.md"))).toBe("mine");
    service.fault = ({ method }) => {
      if (method === "PUT") void service.objects.put("docs/a.md", bytes("theirs"), { mode: 0o644 });
      return undefined;
    };
    const before = (await files.metadata("a.md")).version;
    await expectCode(files.write("a.md", bytes("mine again"), { ifVersion: before }), "Conflict");
    expect(text(await files.read("a.md"))).toBe("theirs");
  });

  test("before a write arrives whole: nothing is stored", async () => {
    const service = await startService(tree);
    process.env["AWS_MAX_ATTEMPTS"] = "1";
    const files = openFolder(service.address("&writable=true"));
    service.fault = ({ method }) => (method === "PUT" ? refusal(400, "IncompleteBody") : undefined);
    await expectCode(files.write("new.md", bytes("x".repeat(100_000))), "StorageFailed");
    expect([...service.objects.objects.keys()]).toEqual(["docs/a.md", "docs/plans/b.md"]);
  });
});

test("a copy of the files is brought back on condition; what both changed is kept beside", async () => {
  const service = await startService(tree);
  const files = openFolder(service.address("&writable=true"));
  const view = await files.materialize();
  writeFileSync(path.join(view.root, "a.md"), "Changed in the copy.");
  writeFileSync(path.join(view.root, "plans/b.md"), "Beds, changed in the copy.");
  await service.objects.put("docs/a.md", bytes("Changed in the bucket."), { mode: 0o644 });
  const { changes } = await view.close();
  expect(changes.map(({ path: file, action }) => `${action} ${file}`)).toEqual(["conflict a.md", "update plans/b.md"]);
  expect(text(await files.read("a.md"))).toBe("Changed in the bucket.");
  expect(text(await files.read("plans/b.md"))).toBe("Beds, changed in the copy.");
  const beside = (await files.listDir("")).map((each) => each.path).find((name) => name.includes(".conflict-"));
  expect(text(await files.read(beside ?? ""))).toBe("Changed in the copy.");
});

test("of a project linked for reading only nothing is asked to be written, whatever the credentials allow", async () => {
  const service = await startService(tree);
  const files = openFolder(service.address());
  await expectCode(files.write("a.md", bytes("x")), "ReadOnly");
  await expectCode(files.delete("a.md"), "ReadOnly");
  expect(service.requests).toEqual([]);
  const view = await files.materialize();
  await view.discard();
  expect((await collect(files.walk())).length).toBe(2);
  expect(service.requests.every((request) => /^(?:GET|HEAD|LIST) /.test(request))).toBe(true);
});

test("no credentials are kept on the device", async () => {
  const service = await startService(tree);
  const store = temporaryStore();
  const project = store.projects.add("Garden");
  await rememberFolder(store, project, service.address("&region=eu-west-1"));
  const kept = readdirSync(store.dataFolder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(path.join(each.parentPath, each.name)).toString("latin1"));
  expect(kept.some((content) => content.includes("s3://garden/docs"))).toBe(true);
  expect(kept.filter((content) => /canary-of-a/.test(content))).toEqual([]);
});
