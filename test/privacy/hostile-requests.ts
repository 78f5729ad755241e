import { ulid } from "ulidx";
import type { LocalSystem } from "../../cli/up/system.ts";
import { connectRaw, frameId, refusalOf } from "./raw-device.ts";
import type { Canaries } from "./scan/canary.ts";

/** How a request was answered, by what it was. */
export type Answers = Map<string, number>;

const asBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

/** Deliveries to the webhook: authentic ones with every kind of body, and such as are not authentic. */
export async function knockAtWebhook(system: LocalSystem, canaries: Canaries): Promise<Answers> {
  const plant = (what: string) => canaries.plant(`webhook: ${what}`);
  const url = `${system.home.apiUrl}/api/v1/scouts/webhooks/gmail`;
  const authentic = await system.world.push.token();
  const subscription = system.world.deploy["PUSH_SUBSCRIPTION"] ?? "";
  const notification = asBase64({ emailAddress: `${plant("address")}@mail.example`, historyId: "7" });
  const push = (message: object, more: object = {}) => JSON.stringify({ message, subscription, ...more });
  const own = (more: object) => asBase64({ emailAddress: "you@example.com", historyId: "7", ...more });

  const bodies: Record<string, string> = {
    "not JSON": `{"message": ${plant("not JSON")}`,
    "JSON cut short": `{"message": {"data": "${plant("cut short")}`,
    "another shape": JSON.stringify([{ [plant("key")]: plant("value") }]),
    "unknown keys": push({ data: notification, messageId: "1", [plant("unknown key")]: plant("unknown value") }),
    attributes: push({
      data: notification,
      messageId: "2",
      attributes: { [plant("attribute")]: plant("attribute value") },
    }),
    "attributes of a wrong type": push({ data: notification, messageId: "3", attributes: [plant("attribute list")] }),
    "an unknown address": push({ data: notification, messageId: "4" }),
    "data that is no notification": push({ data: asBase64(plant("data")), messageId: "5" }),
    "data that is not JSON": push({
      data: Buffer.from(`{${plant("data, not JSON")}`).toString("base64"),
      messageId: "6",
    }),
    "data that is not base64": push({ data: `%%${plant("data, not base64")}`, messageId: "7" }),
    "our address and unknown keys": push({ data: own({ [plant("own key")]: plant("own value") }), messageId: "8" }),
    "our address and another history id": push({ data: own({ historyId: plant("history id") }), messageId: "9" }),
    "our address and a telling message id": push({ data: own({}), messageId: plant("message id") }),
    "our address and an unusable message id": push({ data: own({}), messageId: `${plant("bad message id")} “x”` }),
    "another subscription": JSON.stringify({
      message: { data: notification, messageId: "10" },
      subscription: `projects/${plant("subscription")}`,
    }),
  };
  const forged = `eyJhbGciOiJSUzI1NiJ9.${asBase64({ email: plant("claim") })}.${plant("signature")}`;
  const answers: Answers = new Map();
  for (const [what, body] of Object.entries(bodies)) {
    answers.set(what, await status(url, { method: "POST", body, headers: { authorization: `Bearer ${authentic}` } }));
  }
  for (const [what, authorization] of [
    ["no token", undefined],
    ["a forged token", `Bearer ${forged}`],
    ["no JWT at all", `Bearer ${plant("no JWT")}`],
    ["another scheme", `Basic ${plant("basic")}`],
  ] as const) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const body = push({ data: own({ secret: plant("unauthenticated body") }), messageId: "11" });
    answers.set(what, await status(url, { method: "POST", body, headers }));
  }
  return answers;
}

/** Requests to the HTTP API that go wrong in every way, with a valid token and without. */
export async function knockAtApi(system: LocalSystem, canaries: Canaries): Promise<Answers> {
  const plant = (what: string) => canaries.plant(`api: ${what}`);
  const { apiUrl } = system.home;
  const token = await system.api.auth();
  const { deviceId } = system.store.identity.get();
  const scout = `/api/v1/scouts/${system.scoutId}`;
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "user-agent": plant("user agent"),
    [`x-${plant("header name")}`]: plant("header value"),
    cookie: `${plant("cookie")}=${plant("cookie value")}`,
  };
  const connect = { deviceId, codeChallenge: "x".repeat(43), loopbackPort: 4000 };
  const consent = await fetch(`${apiUrl}${scout}/gmail/connect`, {
    method: "POST",
    headers,
    body: JSON.stringify(connect),
  });
  const { consentUrl }: { consentUrl: string } = JSON.parse(await consent.text());
  const state = new URL(consentUrl).searchParams.get("state") ?? "";
  canaries.watch("api: OAuth state", state.slice(state.lastIndexOf(".") + 1));
  const verifier = `${plant("verifier")}${"v".repeat(43)}`;
  const complete = (more: object) =>
    JSON.stringify({ deviceId, state, code: plant("code"), codeVerifier: verifier, ...more });

  const requests: Record<string, [method: string, path: string, body?: string]> = {
    "an unknown path": ["GET", `/api/v1/${plant("path")}/${plant("path 2")}?${plant("parameter")}=${plant("query")}`],
    "a path that decodes badly": ["GET", `/api/v1/scouts/%E0%A4%A${plant("bad path")}`],
    "no scout's id": ["GET", `/api/v1/scouts/${plant("scout id")}`],
    "a method nobody knows": ["PUT", `${scout}?q=${plant("put query")}`, plant("put body")],
    "a change that is not JSON": ["PATCH", `${scout}?q=${plant("patch query")}`, plant("patch body")],
    "a change of unknown kind": ["PATCH", scout, JSON.stringify({ [plant("change key")]: plant("change value") })],
    "a schedule that is none": ["PATCH", scout, JSON.stringify({ schedule: plant("schedule") })],
    "a page that is none": ["GET", `${scout}/spam?cursor=${plant("page cursor")}&limit=${plant("limit")}`],
    "nothing to restore": ["POST", `${scout}/spam/${plant("spam ref")}/restore`, plant("restore body")],
    "a body that is not JSON": ["POST", "/api/v1/scouts", `{"name": "${plant("bad JSON")}"`],
    "a body of another shape": ["POST", "/api/v1/scouts", JSON.stringify({ [plant("key")]: plant("value"), name: 7 })],
    "an unknown source": [
      "POST",
      "/api/v1/scouts",
      JSON.stringify({ sourceType: plant("source"), name: plant("name"), purpose: plant("purpose") }),
    ],
    "a name too long": [
      "POST",
      "/api/v1/scouts",
      JSON.stringify({ sourceType: "gmail", name: plant("long name").repeat(90), purpose: plant("its purpose") }),
    ],
    "unknown keys": [
      "POST",
      "/api/v1/scouts",
      JSON.stringify({ sourceType: "gmail", name: "n", purpose: "p", [plant("extra key")]: plant("extra value") }),
    ],
    "no device's id": ["POST", "/api/v1/device/tickets", JSON.stringify({ deviceId: plant("device id") })],
    "a challenge that is none": [
      "POST",
      `${scout}/gmail/connect`,
      JSON.stringify({ ...connect, codeChallenge: `${plant("challenge")}!` }),
    ],
    "a forged state": ["POST", `${scout}/gmail/complete`, complete({ state: plant("state") })],
    "a code nobody gave out": ["POST", `${scout}/gmail/complete`, complete({})],
    "a state once more": ["POST", `${scout}/gmail/complete`, complete({})],
    "Google's redirect, forged": [
      "GET",
      `/api/v1/scouts/gmail/callback?state=${plant("cb state")}&code=${plant("cb code")}`,
    ],
    "Google's redirect": ["GET", `/api/v1/scouts/gmail/callback?state=${state}&code=${plant("good cb code")}`],
    "Google's refusal": ["GET", `/api/v1/scouts/gmail/callback?state=${state}&error=${plant("cb error")}`],
  };
  const answers: Answers = new Map();
  for (const [what, [method, path, body]] of Object.entries(requests)) {
    const init = { method, headers, redirect: "manual" as const, ...(body === undefined ? {} : { body }) };
    answers.set(what, await status(`${apiUrl}${path}`, init));
    const forged = { ...headers, authorization: `Bearer ${plant(`token for ${what}`)}` };
    answers.set(`${what}, unauthenticated`, await status(`${apiUrl}${path}`, { ...init, headers: forged }));
  }
  return answers;
}

/** Frames of every wrong kind on an open socket; answers the codes of the error frames, in order. */
export async function sendHostileFrames(system: LocalSystem, canaries: Canaries): Promise<unknown[]> {
  const plant = (what: string) => canaries.plant(`frame: ${what}`);
  const headers = { "user-agent": plant("user agent"), [`x-${plant("header name")}`]: plant("header value") };
  const device = await connectRaw(system, { ...headers, origin: system.home.apiUrl });
  canaries.watch("frame: ticket", device.ticket);
  const scoutId = `sct_${ulid()}`;
  const frames: (string | object)[] = [
    plant("not JSON"),
    `{"type": "hello", "id": "${plant("cut short")}`,
    `"${plant("a string")}"`,
    "[".repeat(5000) + plant("deep"),
    { type: plant("unknown type"), id: frameId(), [plant("key")]: { [plant("inner key")]: [plant("inner value")] } },
    { type: "hello", id: plant("frame id"), protocol: 1, deviceId: device.deviceId },
    { type: "hello", id: frameId(), protocol: plant("protocol"), deviceId: device.deviceId },
    { type: "hello", id: frameId(), protocol: 1, deviceId: plant("device id") },
    { type: "hello", id: frameId(), protocol: 9, deviceId: device.deviceId, resume: plant("resume") },
    { type: "proposals_pull", id: frameId(), limit: plant("limit"), after: plant("cursor of a wrong frame") },
    { type: "scout_proposal_ack", id: frameId(), proposalId: plant("proposal id") },
    { type: "scout_proposal_ack", id: frameId(), proposalId: `${scoutId}.${plant("ref to ack")}` },
    {
      type: "scout_proposals_ack",
      id: frameId(),
      proposalIds: [`${scoutId}.${plant("ref among acks")}`, plant("ack")],
    },
    { type: "scout_proposals_ack", id: frameId(), proposalIds: [`${scoutId}.${plant("ref of acks")}`] },
    { type: "scout_proposal_resolved", id: frameId(), proposalId: `${scoutId}.${plant("ref")}`, outcome: "approved" },
    { type: "scout_proposal_resolved", id: frameId(), proposalId: `${scoutId}.r`, outcome: plant("outcome") },
    // What is of content is for devices that have said hello.
    { type: "scout_item_request", id: frameId(), proposalId: `${scoutId}.${plant("ref to read too early")}` },
    { type: "scout_items_request", id: frameId(), proposalIds: [`${scoutId}.${plant("refs to read too early")}`] },
    { type: "proposals_pull", id: frameId(), limit: 1, after: plant("cursor too early") },
  ];
  const codes: unknown[] = [];
  for (const frame of frames) {
    if (typeof frame === "string") device.sendRaw(frame);
    else device.send(frame);
    codes.push((await device.next("error"))["code"]);
  }
  device.send({ type: "hello", id: frameId(), protocol: 1, deviceId: device.deviceId, [plant("hello key")]: 1 });
  await device.next("session_ready");
  device.send({ type: "scout_item_request", id: frameId(), proposalId: `${scoutId}.${plant("ref to read")}` });
  codes.push((await device.next("error"))["code"]);
  device.send({ type: "scout_items_request", id: frameId(), proposalIds: [`${scoutId}.${plant("refs to read")}`] });
  await device.next("scout_items");
  device.send({ type: "proposals_pull", id: frameId(), limit: 1, after: plant("cursor"), [plant("extra key")]: 1 });
  await device.next("proposals_page");
  device.sendRaw(plant("too large").repeat(5000));
  await device.closed();

  const binary = await connectRaw(system);
  binary.sendRaw(Buffer.from(`{"${plant("binary")}`));
  codes.push((await binary.next("error"))["code"]);
  await binary.close(plant("reason to close"));

  for (const ticket of [device.ticket, plant("no ticket"), `a.${plant("no ticket either")}.b`]) {
    codes.push(await refusalOf(`${system.home.socketUrl}?ticket=${ticket}&q=${plant("query")}`, headers));
  }
  // A page's: refused at the door, before anything reads it.
  const origin = `https://${plant("origin")}.example`;
  codes.push(await refusalOf(`${system.home.socketUrl}?ticket=${plant("a page's ticket")}`, { ...headers, origin }));
  return codes;
}

async function status(url: string, init: RequestInit): Promise<number> {
  const response = await fetch(url, init);
  await response.arrayBuffer();
  return response.status;
}
