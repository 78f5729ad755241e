import { expect, test } from "vitest";
import { addSource } from "../../device/sources/add-source.ts";
import { reconnectSource } from "../../device/sources/reconnect-source.ts";
import { deviceId } from "../../events/ids.ts";
import { inbox } from "../console/console-home.ts";
import { serviceAt } from "../unit/service-at.ts";

const consent = {
  deviceId: deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEB"),
  openConsent: async () => {},
  paste: (take: (line: string) => boolean) => {
    take("http://127.0.0.1:4000/?state=ours&code=c0de");
    return () => {};
  },
  signal: new AbortController().signal,
};

/** A home that takes a consent and then cannot look at the source. */
async function blindHome() {
  const asked: string[] = [];
  const apiUrl = await serviceAt((request, response) => {
    const [method, path = ""] = [request.method, request.url?.replace(/\?.*/, "")];
    asked.push(`${method} ${path.replace(inbox.id, "ID")}`);
    const answer = (status: number, body?: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
    if (path.endsWith("/sees"))
      return answer(503, { error: { code: "source_unavailable", message: "no", data: {}, requestId: "r" } });
    if (path.endsWith("/connect"))
      return answer(200, { consentUrl: "https://a.example/?state=ours", expiresInSeconds: 9 });
    if (path.endsWith("/complete")) return answer(204);
    if (method === "POST") return answer(201, { ...inbox, connected: false, sees: null });
    return path.endsWith(inbox.id) ? answer(200, inbox) : answer(200, { scouts: [], nextCursor: null });
  });
  return { asked, api: { apiUrl, auth: async () => "token" } };
}

const unseen = { isSeen: false, error: { code: "source_unavailable" } };

test("a consent that was given is kept, and told as such, when the first look after it fails", async () => {
  const { asked, api } = await blindHome();
  const added = await addSource(api, { source: "gmail", name: "Inbox", purpose: "Mail" }, consent);
  expect(added).toMatchObject({ scoutId: inbox.id, name: "Inbox", sight: unseen });
  expect(asked).toContain("POST /api/v1/scouts/ID/gmail/complete");
  expect(asked.filter((each) => each.startsWith("DELETE"))).toEqual([]);
});

test("a scout that has its consent again is told as reconnected when the first look after it fails", async () => {
  const { api } = await blindHome();
  expect(await reconnectSource(api, inbox, {}, consent)).toMatchObject({ scout: { id: inbox.id }, sight: unseen });
});
