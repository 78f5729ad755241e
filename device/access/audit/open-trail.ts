import { existsSync } from "node:fs";
import { lastPlaceOf } from "../../files/place/folder-place.ts";
import { hasProjectDatabase, openProjectDatabase } from "../open-access.ts";
import { AuditTrail } from "./trail.ts";

export interface OpenTrail {
  readonly trail: AuditTrail;
  close(): void;
}

/**
 * A trail by itself, without the files it tells of.
 *
 * @param place what the folder is known by (`placeOf`)
 * @throws DeviceError as {@link openProjectDatabase}
 */
export function openTrail(dataFolder: string, place: string, now: () => number): OpenTrail {
  const database = openProjectDatabase(dataFolder, place);
  return { trail: new AuditTrail(database.store, now), close: () => database.close() };
}

/**
 * The place of a folder whose trail is kept and which is not on this disk: a directory that is gone, or a bucket, which may not be
 * reached.
 *
 * @param folderPath absolute, or a bucket's address
 */
export function placeElsewhere(dataFolder: string, folderPath: string): string | undefined {
  const place = lastPlaceOf(folderPath);
  return !existsSync(place) && hasProjectDatabase(dataFolder, place) ? place : undefined;
}
