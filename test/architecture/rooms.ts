/**
 * The rooms of the house, and what each may import besides itself. A place is a room or a folder of one. The first room
 * a path lies in counts, so that the folders of `infra/` come before `infra` itself.
 */
export const mayImport = {
  events: [],
  shared: ["events"],
  functions: ["shared", "events", "infra/model/triage"],
  device: ["shared/privacy", "shared/llm", "shared/text", "events"],
  "infra/local": ["functions", "shared", "events", "infra/standins", "infra/model"],
  "infra/model": ["infra/standins", "shared", "events"],
  "infra/standins": ["shared", "events"],
  infra: [],
  cli: ["device", "infra/local", "shared", "events"],
} as const satisfies Record<string, readonly string[]>;

export type Room = keyof typeof mayImport;

export const rooms = Object.keys(mayImport) as readonly Room[];

/** The room a path lies in; none for tests and configuration. */
export const roomOf = (path: string): Room | undefined => rooms.find((room) => path.startsWith(`${room}/`));

/** Whether a file of a room may import a file, its own room's included. */
export function mayReach(room: Room, target: string): boolean {
  const targetRoom = roomOf(target);
  if (targetRoom === room) return true;
  const places: readonly string[] = mayImport[room];
  return places.some((place) => place === targetRoom || (!isRoom(place) && target.startsWith(`${place}/`)));
}

const isRoom = (place: string): place is Room => Object.hasOwn(mayImport, place);
