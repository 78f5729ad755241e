import { existsSync } from "node:fs";
import type { Command } from "commander";
import {
  type Credentials,
  readCredentials,
  removeCredentials,
  writeCredentials,
} from "../../device/connect/credentials.ts";
import { discover } from "../../device/connect/oidc.ts";
import { requireSamePerson } from "../../device/connect/one-person.ts";
import { openBrowser } from "../../device/connect/open-browser.ts";
import { type PublicClient, signInByBrowser, signInByCode } from "../../device/connect/sign-in.ts";
import { DeviceError, isDeviceError } from "../../device/errors.ts";
import { openDeviceStore, storePath } from "../../device/store/open.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { encryptedAddressGiven } from "../given-address.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";

interface LoginFlags extends CommonOptions {
  readonly api?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly audience?: string;
  readonly scope?: string;
  readonly code?: boolean;
  readonly browser: boolean;
}

const defaultScope = "openid offline_access";
/** Whoever has not finished by then has left. */
const giveUpAfterMs = 10 * 60_000;
const revocationMs = 10_000;

/** What is asked for, else what was used the last time, else what the environment says. */
function settingsOf(context: CliContext, flags: LoginFlags, before: Credentials | undefined) {
  const { SCOUTS_API, SCOUTS_ISSUER, SCOUTS_CLIENT_ID, SCOUTS_AUDIENCE } = context.environment;
  const apiUrl = flags.api ?? SCOUTS_API ?? before?.apiUrl;
  const issuer = flags.issuer ?? SCOUTS_ISSUER ?? before?.issuer;
  const clientId = flags.clientId ?? SCOUTS_CLIENT_ID ?? before?.clientId;
  if (apiUrl === undefined || issuer === undefined || clientId === undefined) {
    throw new DeviceError("usage", { sentence: "Say which home: --api, --issuer and --client-id (docs/device.md)." });
  }
  const audience = flags.audience ?? SCOUTS_AUDIENCE ?? before?.audience ?? null;
  const client: PublicClient = { clientId, audience, scope: flags.scope ?? before?.scope ?? defaultScope };
  return { apiUrl: encryptedAddressGiven(apiUrl), issuer: encryptedAddressGiven(issuer), client };
}

async function login(context: CliContext, flags: LoginFlags): Promise<void> {
  const dataFolder = dataFolderOf(context, flags);
  // Unreadable ones are replaced by this.
  const before = tolerant(() => readCredentials(dataFolder));
  const { apiUrl, issuer, client } = settingsOf(context, flags, before);
  // Only the result goes to stdout: it may be read by a program.
  const say = (line: string) => void context.io.stderr.write(`${line}\n`);
  const signal = AbortSignal.any([context.io.signal, AbortSignal.timeout(giveUpAfterMs)]);
  const found = await discover(issuer, signal);
  const answer = flags.code
    ? await signInByCode(
        found,
        client,
        async ({ userCode, verificationUri }) => {
          say(`Open ${printable(verificationUri)} on any machine and enter the code ${printable(userCode)}`);
        },
        signal,
      )
    : await signInByBrowser(
        found,
        client,
        async (url) => {
          say(`Sign in at ${printable(url)}`);
          if (flags.browser) openBrowser(url);
        },
        signal,
      );
  refuseOtherPerson(context, dataFolder, answer.access_token);
  writeCredentials(dataFolder, {
    v: 1,
    apiUrl,
    issuer: found.issuer,
    ...client,
    tokenEndpoint: found.token_endpoint,
    revocationEndpoint: found.revocation_endpoint ?? null,
    accessToken: answer.access_token,
    expiresAt: context.now() + answer.expires_in * 1_000,
    issuedAt: context.now(),
    refreshToken: answer.refresh_token ?? null,
  });
  report(outputOn(context.io), flags, apiUrl, answer.refresh_token !== undefined, answer.expires_in);
}

/** @throws DeviceError `person_other` where the folder holds what another person has */
function refuseOtherPerson({ now, newId, environment }: CliContext, dataFolder: string, token: string): void {
  // Nothing is there yet that could be anybody's.
  if (!existsSync(storePath(dataFolder))) return;
  const store = openDeviceStore({ dataFolder, now, newId, passphrase: environment.SCOUTS_PASSPHRASE });
  try {
    requireSamePerson(token, store.cursors);
  } finally {
    store.close();
  }
}

function report(output: Output, flags: LoginFlags, apiUrl: string, lasting: boolean, expiresInSeconds: number): void {
  if (flags.json) {
    output.json({ apiUrl, lasting, expiresInSeconds });
    return;
  }
  output.line(`Signed in to ${printable(apiUrl)}.`);
  if (!lasting) {
    output.line(`The issuer gave no refresh token: sign in again in ${Math.ceil(expiresInSeconds / 60)} min.`);
  }
}

async function logout(context: CliContext, flags: CommonOptions): Promise<void> {
  const dataFolder = dataFolderOf(context, flags);
  const before = tolerant(() => readCredentials(dataFolder));
  const there = tolerant(() => removeCredentials(dataFolder)) ?? false;
  const revoked = before === undefined ? false : await revoke(before);
  const output = outputOn(context.io);
  if (flags.json) output.json({ signedOut: there, revoked });
  else output.line(there ? `Signed out${revoked ? "" : "; the issuer was not told"}.` : "Not signed in.");
}

/** RFC 7009. Signed out is signed out here, whatever the issuer says to it. */
async function revoke({ revocationEndpoint, refreshToken, clientId }: Credentials): Promise<boolean> {
  if (revocationEndpoint === null || refreshToken === null) return false;
  const body = new URLSearchParams({ token: refreshToken, token_type_hint: "refresh_token", client_id: clientId });
  const signal = AbortSignal.timeout(revocationMs);
  const answer = await fetch(revocationEndpoint, { method: "POST", body, signal, redirect: "error" }).catch(
    () => undefined,
  );
  return answer?.ok ?? false;
}

function tolerant<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isDeviceError(error, "credentials_unreadable")) return undefined;
    throw error;
  }
}

/** `scouts login` and `scouts logout`: which deployed home this data folder is a device of, and as whom. */
export function addLogin(program: Command, context: CliContext): void {
  const command = program
    .command("login")
    .summary("sign in to a home that runs elsewhere")
    .description(
      "Signs in to a deployed home by its OIDC issuer, in the browser of this machine or, with --code, of any. Tokens are " +
        "kept in the data folder, readable by its owner only. What is given once need not be given again.",
    )
    .option("--api <url>", "address of the home's HTTP API (default: $SCOUTS_API)")
    .option("--issuer <url>", "OIDC issuer the home trusts (default: $SCOUTS_ISSUER)")
    .option("--client-id <id>", "public client registered at the issuer (default: $SCOUTS_CLIENT_ID)")
    .option(
      "--audience <name>",
      "audience to ask tokens for, where the issuer wants it said (default: $SCOUTS_AUDIENCE)",
    )
    .option("--scope <scopes>", `scopes to ask for (default: "${defaultScope}")`)
    .option("--code", "show a code to be entered in a browser on another machine")
    .option("--no-browser", "only print the address");
  withCommonOptions(command).action((flags: LoginFlags) => login(context, flags));
  withCommonOptions(program.command("logout").description("forget the tokens, here and at the issuer")).action(
    (flags: CommonOptions) => logout(context, flags),
  );
}
