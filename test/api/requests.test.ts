import { afterEach, expect, test } from "vitest";
import { maxUploadBytes } from "../../events/payload.ts";
import { uploadRate } from "../../shared/devices/payloads.ts";
import { sessionsKey } from "../../shared/keys.ts";
import { cleanUp } from "../standins/mailbox-fixture.ts";
import { ada, apiSetting, bob, device, fieldOf } from "./setting.ts";

afterEach(cleanUp);

const scouts = "/api/v1/scouts";
const wanted = { sourceType: "gmail", name: "Inbox", purpose: "What people want from me" };

test("every error has the one shape, with the request's id in it and in the header", async () => {
  const { ask } = await apiSetting();
  const { status, headers, body } = await ask("GET", `${scouts}/nonsense`);
  expect(status).toBe(404);
  expect(headers.get("x-request-id")).toBe("request-1");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(body).toEqual({
    error: { code: "scout_not_found", message: "There is no such scout.", data: {}, requestId: "request-1" },
  });
});

test.each([
  ["no JSON", { text: "{" }, 400, "invalid_request"],
  ["no body", {}, 400, "invalid_request"],
  ["another shape", { body: [] }, 400, "invalid_request"],
  ["a name of blanks", { body: { ...wanted, name: "   " } }, 400, "invalid_request"],
  ["an unknown source", { body: { ...wanted, sourceType: "pigeon" } }, 400, "source_unknown"],
  [
    "a form",
    { text: "name=x", headers: { "content-type": "application/x-www-form-urlencoded" } },
    415,
    "unsupported_media_type",
  ],
  ["JSON said to be text", { body: wanted, headers: { "content-type": "text/plain" } }, 415, "unsupported_media_type"],
  ["64 KB and a byte", { text: " ".repeat(65_537) }, 413, "payload_too_large"],
  ["a key that is none", { body: wanted, headers: { "idempotency-key": "a b" } }, 400, "invalid_request"],
  ["nobody's token", { body: wanted, as: null }, 401, "unauthenticated"],
])("creating with %s is refused by its code, and nothing is written", async (_, request, status, code) => {
  const { ask, ledger } = await apiSetting();
  expect(await ask("POST", scouts, request)).toMatchObject({ status, code });
  expect(ledger.dump()).toEqual([]);
});

test("a body's type may carry parameters and a suffix", async () => {
  const { ask } = await apiSetting();
  for (const type of ["application/json; charset=utf-8", "application/merge-patch+json"]) {
    expect((await ask("POST", scouts, { body: wanted, headers: { "content-type": type } })).status).toBe(201);
  }
});

test("what a request quotes is in no error", async () => {
  const { ask } = await apiSetting();
  const replies = [
    await ask("POST", scouts, { text: '{"name": "tulips' }),
    await ask("POST", scouts, { body: { ...wanted, name: 7, tulips: "tulips" } }),
    await ask("GET", `${scouts}?cursor=tulips&limit=tulips`),
    await ask("GET", `${scouts}/tulips`),
    await ask("PATCH", `${scouts}/tulips`, { body: { tulips: 1 } }),
  ];
  expect(replies.every(({ status }) => status >= 400)).toBe(true);
  expect(JSON.stringify(replies.map(({ body }) => body))).not.toContain("tulips");
});

test("OPTIONS and refused methods name what is allowed; HEAD answers as GET without a body", async () => {
  const { ask } = await apiSetting();
  const options = await ask("OPTIONS", scouts);
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, POST, HEAD, OPTIONS"]);
  const put = await ask("PUT", scouts, { body: wanted });
  expect([put.status, put.code, put.headers.get("allow")]).toEqual([
    405,
    "method_not_allowed",
    "GET, POST, HEAD, OPTIONS",
  ]);
  expect(await ask("HEAD", scouts)).toMatchObject({ status: 200, body: undefined });
  expect(await ask("GET", "/api/v1/nothing")).toMatchObject({ status: 404, code: "not_found" });
});

test("a person may ask a hundred times at once, then twice a second, and is told how long to wait", async () => {
  const setting = await apiSetting();
  const { ask } = setting;
  const first = await Promise.all(Array.from({ length: 100 }, () => ask("GET", scouts)));
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]));

  const refused = await ask("POST", scouts, { body: wanted });
  expect(refused).toMatchObject({ status: 429, code: "rate_limited" });
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(setting.ledger.dump()).toEqual([]);
  expect((await ask("GET", scouts, { as: "bob" })).status).toBe(200);

  setting.nowMs += 1000;
  const later = await Promise.all(Array.from({ length: 5 }, () => ask("GET", scouts)));
  expect(later.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
});

test("a person may upload so many bytes at once, however many devices do, and more as time goes by", async () => {
  const setting = await apiSetting();
  const uploads = async (as: "ada" | "bob", sizes: number[]) => {
    const session = { sessionId: "ses_01JD0000000000000000000000", wrappedKey: "x", connectionId: "c1" };
    const expiresAt = setting.nowMs + 60_000;
    await setting.sessions.put({ ...sessionsKey.session(as === "ada" ? ada : bob, device), ...session, expiresAt });
    return setting.ask("POST", "/api/v1/uploads", { as, body: { deviceId: device, sizes } });
  };
  const { burst, everyMs } = uploadRate;
  const [largest, each] = [Array<number>(16).fill(maxUploadBytes), (16 * maxUploadBytes) / 2 ** 20];
  for (let taken = 0; taken < burst; taken += each) expect((await uploads("ada", largest)).status).toBe(201);
  expect(await uploads("ada", [1])).toMatchObject({ status: 429, code: "rate_limited" });
  expect((await uploads("bob", [1])).status).toBe(201);
  setting.nowMs += everyMs;
  expect((await uploads("ada", [1])).status).toBe(201);
  expect((await uploads("ada", [1])).status).toBe(429);
});

test("P2: a creation sent again with its key makes one scout, also when the first answer was lost half way", async () => {
  const { ask, ledger, ports } = await apiSetting();
  const request = { body: wanted, headers: { "idempotency-key": "k-1" } };
  const create = ports.scouts.create.bind(ports.scouts);
  let dies = true;
  ports.scouts.create = async (row) => {
    const done = await create(row);
    if (dies) throw new Error("killed");
    return done;
  };
  expect((await ask("POST", scouts, request)).status).toBe(500);
  dies = false;
  const again = await Promise.all([ask("POST", scouts, request), ask("POST", scouts, request)]);
  const [a, b] = again.map(({ body }) => fieldOf(body, "id"));
  expect([again[0]?.status, again[1]?.status, a]).toEqual([201, 201, b]);
  expect(ledger.dump().filter(({ sk }) => sk.startsWith("SCOUT#"))).toHaveLength(1);

  const other = await ask("POST", scouts, { ...request, body: { ...wanted, name: "Other" } });
  expect(other).toMatchObject({ status: 409, code: "idempotency_conflict" });
  expect((await ask("POST", scouts, { ...request, as: "bob" })).status).toBe(201);
});

test("a key is good for a day, and does not bring a deleted scout back", async () => {
  const setting = await apiSetting();
  const { ask } = setting;
  const request = { body: wanted, headers: { "idempotency-key": "k-1" } };
  const id = fieldOf((await ask("POST", scouts, request)).body, "id");
  expect((await ask("DELETE", `${scouts}/${id}`)).status).toBe(204);
  expect(await ask("POST", scouts, request)).toMatchObject({ status: 404, code: "scout_not_found" });

  setting.nowMs += 24 * 3_600_000 + 1;
  const next = await ask("POST", scouts, request);
  expect([next.status, fieldOf(next.body, "id") === id]).toEqual([201, false]);
});

test("P1: neither key nor body of a request is kept readable", async () => {
  const { ask, sessions, ledger } = await apiSetting();
  await ask("POST", scouts, { body: { ...wanted, name: "Tulips" }, headers: { "idempotency-key": "tulips-key" } });
  expect(JSON.stringify([sessions.dump(), ledger.dump()]).toLowerCase()).not.toContain("tulips");
});

test("lists come in pages, each scout once, and a cursor is good for its own list only", async () => {
  const setting = await apiSetting();
  const { ask } = setting;
  const made = [];
  for (let n = 0; n < 5; n += 1) made.push(await setting.scout(`Scout ${n}`));
  await setting.scout("Bob's", "bob");
  const seen: string[] = [];
  let cursor = "";
  for (let page = 0; page < 3; page += 1) {
    const { body } = await ask("GET", `${scouts}?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
    seen.push(...[...JSON.stringify(body).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id ?? ""));
    if (page < 2) cursor = fieldOf(body, "nextCursor");
    else expect(body).toMatchObject({ nextCursor: null });
  }
  expect(seen).toEqual([...made].sort());
  expect(await ask("GET", `${scouts}/${made[0]}/spam?cursor=${cursor}`)).toMatchObject({
    status: 400,
    code: "invalid_request",
  });
  for (const query of ["limit=0", "limit=101", "limit=x", "cursor=", "cursor=%%%"]) {
    expect((await ask("GET", `${scouts}?${query}`)).status, query).toBe(400);
  }
});
