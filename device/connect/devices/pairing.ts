import path from "node:path";
import { asWord } from "../../shell-words.ts";
import { readCredentials } from "../credentials.ts";
import { homeFolderOf } from "./home-folder.ts";

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
    const homeFolder = homeFolderOf(dataFolder);
    const folder = asWord(`${homeFolder}-${homeFolder === dataFolder ? "second" : "third"}`);
    return {
      isAnywhere: false,
      commands: [`scouts connect --home ${asWord(path.resolve(homeFolder))} --data ${folder}`],
    };
  }
  const { apiUrl, issuer, clientId, audience } = home;
  const login = [
    `scouts login --api ${asWord(apiUrl)} --issuer ${asWord(issuer)} --client-id ${asWord(clientId)}`,
    ...(audience === null ? [] : [`--audience ${asWord(audience)}`]),
  ];
  return { isAnywhere: true, commands: [login.join(" "), "scouts connect"] };
}
