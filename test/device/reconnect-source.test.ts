import { expect, test } from "vitest";
import { reconnectSource } from "../../device/sources/reconnect-source.ts";
import { deviceId } from "../../events/ids.ts";
import { inbox } from "../console/console-home.ts";
import { serviceAt } from "../unit/service-at.ts";

const consent = {
  deviceId: deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEB"),
  openConsent: async () => {},
  signal: new AbortController().signal,
};

/** A home whose source takes no secret. */
const refusing = async () => {
  const apiUrl = await serviceAt((request, response) => {
    const isList = request.method === "GET";
    const refused = { error: { code: "source_credentials_refused", message: "no", data: {}, requestId: "r" } };
    response
      .writeHead(isList ? 200 : 422, { "content-type": "application/json" })
      .end(JSON.stringify(isList ? { scouts: [], nextCursor: null } : refused));
  });
  return { apiUrl, auth: async () => "token" };
};

test("a password that was changed at the source: who reconnects without the new one is told how it is given", async () => {
  const scout = { ...inbox, sourceType: "imap" };
  const failed = (settings: { password?: string }) =>
    reconnectSource(api, scout, settings, consent).catch((error: unknown) => error);
  const api = await refusing();
  expect(await failed({})).toMatchObject({
    code: "source_credentials_refused",
    message: expect.stringMatching(/kept any more; give another .*--password-stdin/),
    exact: { about: "kept" },
  });
  expect(await failed({ password: "mistyped" })).toMatchObject({
    code: "source_credentials_refused",
    message: expect.stringMatching(/does not accept this user and secret/),
  });
});
