import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { itemRef } from "../../events/ids.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { GmailClient } from "../../shared/scouts/connectors/gmail/client.ts";
import { GmailConnector } from "../../shared/scouts/connectors/gmail/connector.ts";
import { scoutAtSource as scout } from "../contract/connector-fixtures.ts";

const refs = ["1a", "2b", "3c"].map((ref) => itemRef.parse(ref));
const mail = (id: string) => ({
  id,
  labelIds: ["INBOX"],
  internalDate: "1000",
  payload: { mimeType: "text/plain", headers: [{ name: "Subject", value: `about ${id}` }] },
});
const code = (name: string) => expect.objectContaining({ code: name });

/** Gmail whose batches are answered as told; single reads are always answered. Notes the paths it was asked. */
async function gmail(answerBatch: (response: ServerResponse) => void, contentBatchMs?: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "", "http://localhost").pathname.replace("/gmail/v1/users/me/messages/", "");
    asked.push(path);
    response.setHeader("content-type", "application/json");
    if (path.startsWith("/batch")) answerBatch(response);
    else response.end(JSON.stringify(mail(path)));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it listens on a port");
  const tokens = { accessToken: async () => new Transient("word"), refused: async () => {} };
  const client = new GmailClient(tokens, `http://127.0.0.1:${address.port}/`, () => 0, contentBatchMs);
  return { asked, connector: new GmailConnector(client, "topic", () => 0) };
}

const refusal = (status: number, reason = "", message = "") => {
  return (response: ServerResponse) => {
    response.statusCode = status;
    response.end(JSON.stringify({ error: { message, errors: [{ reason }] } }));
  };
};

test.each([400, 403, 404, 410, 413, 500])(
  "P2: a batch that is refused with %i says nothing of its mails",
  async (status) => {
    const { asked, connector } = await gmail(refusal(status));
    const read = await Promise.all(refs.map((ref) => connector.fetchContent(scout, ref)));
    expect(read.map(({ subject }) => subject.reveal())).toEqual(refs.map((ref) => `about ${ref}`));
    expect(asked.toSorted()).toEqual(["/batch/gmail/v1", ...refs]);
    await expect(connector.fetchMetadataMany(scout, refs)).rejects.toEqual(code("source_unavailable"));
  },
);

test.each([
  [429, "", "source_rate_limited"],
  [403, "userRateLimitExceeded", "source_rate_limited"],
  [403, "domainPolicy", "source_forbidden"],
  [403, "insufficientPermissions", "consent_incomplete"],
  [403, "accessNotConfigured", "configuration_invalid"],
])(
  "a batch that is refused with %i %s is so for every mail, and none is asked for again",
  async (status, reason, is) => {
    const { asked, connector } = await gmail(refusal(status, reason));
    const read = await Promise.allSettled(refs.map((ref) => connector.fetchContent(scout, ref)));
    expect(read).toEqual(refs.map(() => ({ status: "rejected", reason: code(is) })));
    expect(asked).toEqual(["/batch/gmail/v1"]);
  },
);

test("a batch that hangs is given up early, and each of its mails is read alone", async () => {
  const { asked, connector } = await gmail(() => {}, 20);
  const read = await Promise.all(refs.map((ref) => connector.fetchContent(scout, ref)));
  expect(read.map(({ subject }) => subject.reveal())).toEqual(refs.map((ref) => `about ${ref}`));
  expect(asked.toSorted()).toEqual(["/batch/gmail/v1", ...refs]);
});
