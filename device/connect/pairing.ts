import path from "node:path";
import { readCredentials } from "./credentials.ts";

/** What makes another machine, or another data folder, a second device of the same person: commands in their order. */
export interface Pairing {
  /** Whether the second one may be on another machine. */
  readonly isAnywhere: boolean;
  readonly commands: readonly string[];
}

/** @param dataFolder absolute @throws DeviceError `credentials_unreadable` */
export function pairingOf(dataFolder: string): Pairing {
  const home = readCredentials(dataFolder);
  if (home === undefined) {
    const folder = quoted(`${dataFolder}-second`);
    return {
      isAnywhere: false,
      commands: [`scouts connect --home ${quoted(path.resolve(dataFolder))} --data ${folder}`],
    };
  }
  const { apiUrl, issuer, clientId, audience } = home;
  const login = [
    `scouts login --api ${quoted(apiUrl)} --issuer ${quoted(issuer)} --client-id ${quoted(clientId)}`,
    ...(audience === null ? [] : [`--audience ${quoted(audience)}`]),
  ];
  return { isAnywhere: true, commands: [login.join(" "), "scouts connect"] };
}

const quoted = (text: string): string => (/^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
