import type { DeviceStore } from "../store/open.ts";

/**
 * What this device calls the scouts and projects that a home counts tokens of by their ids; what was removed since has none, and
 * neither have agents, which are named by what they do.
 */
export function namesOfUsers({ knownScouts, projects }: DeviceStore): ReadonlyMap<string, string | null> {
  return new Map([...knownScouts.list(), ...projects.list()].map(({ id, name }) => [id, name]));
}
