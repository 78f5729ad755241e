import { expect, test } from "vitest";
import { Transient } from "../../../../shared/privacy/transient.ts";
import { revokeToken } from "../../../../shared/scouts/connectors/gmail/oauth.ts";
import { serviceAt } from "../../service-at.ts";

/** Where grants are given back, which answers with one status. */
async function answering(status: number) {
  const endpoint = await serviceAt((_, response) => void response.writeHead(status).end('{"error":"invalid_token"}'));
  const url = `${endpoint}/`;
  return { clientId: "c", clientSecret: "s", tokenUrl: url, revokeUrl: url };
}

const token = new Transient("1//token");

test.each([200, 400])("a grant that is given back, or was before, is gone (%i)", async (status) => {
  await expect(revokeToken(await answering(status), token)).resolves.toBeUndefined();
});

test.each([
  [429, "source_rate_limited"],
  [408, "source_unavailable"],
  [503, "source_unavailable"],
  [403, "source_refused"],
])("a grant is not taken for given back when Google answers %i: %s", async (status, code) => {
  await expect(revokeToken(await answering(status), token)).rejects.toMatchObject({ code, data: { status } });
});
