import { describe, expect, it } from "vitest";
import { deviceId, scoutId, type UserId, userId } from "../../../../events/ids.ts";
import {
  beginConsent,
  type ConsentPorts,
  consentLifeSeconds,
  readState,
  spendState,
} from "../../../../shared/scouts/connectors/gmail/consent.ts";
import { readonlyScope } from "../../../../shared/scouts/connectors/gmail/oauth.ts";
import { newId } from "../../../memory/chance.ts";
import { MemoryTable } from "../../../memory/table.ts";

const asker = userId.parse("usr_00000000000000000000000000");
const other = userId.parse("usr_11111111111111111111111111");
const device = deviceId.parse("dev_01HZZZZZZZZZZZZZZZZZZZZZZZ");
const scout = scoutId.parse("sct_01HZZZZZZZZZZZZZZZZZZZZZZZ");
const anotherScout = scoutId.parse("sct_01HZZZZZZZZZZZZZZZZZZZZZZY");
const codeVerifier = "v".repeat(43);

async function asked() {
  let nowMs = Date.UTC(2026, 10, 20);
  const ports: ConsentPorts = {
    stateKey: new Uint8Array(32).fill(1),
    sessions: new MemoryTable(),
    newId,
    oauth: {
      clientId: "client",
      clientSecret: "secret",
      authUrl: "https://accounts.example.com/auth",
      tokenUrl: "https://oauth.example.com/token",
    },
    redirectUri: "https://api.example.com/callback",
    clock: () => nowMs,
  };
  const request = { deviceId: device, autoTrash: false, codeChallenge: "c".repeat(43), loopbackPort: 4242 };
  const url = new URL(await beginConsent(ports, asker, scout, request));
  const state = url.searchParams.get("state") ?? "";
  const spend = (user: UserId, change: Partial<{ deviceId: typeof device; state: string }> = {}, of = scout) =>
    spendState(ports, user, of, { deviceId: device, state, code: "code", codeVerifier, sameAccount: false, ...change });
  return { ports, url, state, spend, pass: (seconds: number) => (nowMs += seconds * 1000) };
}

const refused = { code: "consent_invalid" };

describe("consent to a mailbox (2.3)", () => {
  it("asks with PKCE S256, for offline access, with a state that names the loopback port", async () => {
    const { ports, url, state } = await asked();
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      code_challenge_method: "S256",
      access_type: "offline",
      prompt: "consent",
      include_granted_scopes: "true",
      scope: readonlyScope,
    });
    expect(await readState(ports, state)).toMatchObject({ port: 4242 });
  });

  it("a link opened by somebody else connects nothing: not for another person, device or scout", async () => {
    const { spend } = await asked();
    await expect(spend(other)).rejects.toMatchObject(refused);
    await expect(spend(asker, { deviceId: deviceId.parse("dev_01HZZZZZZZZZZZZZZZZZZZZZZY") })).rejects.toMatchObject(
      refused,
    );
    await expect(spend(asker, {}, anotherScout)).rejects.toMatchObject(refused);
    await expect(spend(asker)).resolves.toMatchObject({ sub: asker, scout });
  });

  it("a state works once, for ten minutes, and only as it was signed", async () => {
    const { spend, state } = await asked();
    // Not the last sign, of which two bits say nothing.
    const changed = state.replace(/.(?=.{9}$)/, (sign) => (sign === "A" ? "B" : "A"));
    await expect(spend(asker, { state: changed })).rejects.toMatchObject(refused);
    await expect(spend(asker)).resolves.toMatchObject({ sub: asker, scout });
    await expect(spend(asker)).rejects.toMatchObject(refused);
    const late = await asked();
    late.pass(consentLifeSeconds + 1);
    await expect(late.spend(asker)).rejects.toMatchObject(refused);
  });
});
