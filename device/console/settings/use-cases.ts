import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { addressOf, type CloudApi } from "../../connect/cloud-api.ts";
import { listDevices } from "../../connect/devices/list-devices.ts";
import { pairingOf } from "../../connect/devices/pairing.ts";
import { listScouts } from "../../connect/list-scouts.ts";
import type { Device } from "../../connection/device.ts";
import { aboutHomeOf } from "../../doctor/about-home.ts";
import { examine } from "../../doctor/examine.ts";
import type { HomeEnvironment } from "../../doctor/running-checks.ts";
import { DeviceError } from "../../errors.ts";
import { folderSize } from "../../housekeeping/folder-size.ts";
import { addSample } from "../../sources/add-source.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { EventLog } from "../news/event-log.ts";
import { consoleFolder } from "../presence.ts";
import type { Consents } from "../sources/consents.ts";
import { toldIfAny, toldSight } from "../told.ts";
import type { PreferencesChange } from "./contract.ts";
import { readPreferences, writePreferences } from "./preferences.ts";

/** The program that serves the console. */
export interface Program {
  readonly version: string;
  readonly environment: HomeEnvironment;
  readonly newId: () => string;
  /** The IANA zone of the person, as this machine is set. */
  readonly zone: () => string;
  /** Mail to try the program with, where the home reads files of this machine. */
  readonly sampleMailbox?: string | undefined;
}

export interface SettingsParts {
  readonly api: CloudApi;
  readonly store: DeviceStore;
  readonly device: Pick<Device, "state">;
  readonly log: EventLog;
  readonly now: () => number;
  readonly consents: Consents;
  readonly program: Program;
}

/** What a tab can ask of the device itself. */
export type SettingsUseCases = ReturnType<typeof settingsUseCases>;

/** How the device is set and how it fares; whatever is chosen is told to every tab. */
export function settingsUseCases({ api, store, device, log, now, consents, program }: SettingsParts) {
  const { dataFolder } = store;
  const file = join(consoleFolder(dataFolder), "settings.json");

  return {
    preferences: () => ({ preferences: readPreferences(file) }),

    choose(change: PreferencesChange) {
      const chosen = writePreferences(file, change);
      log.add({ type: "preferences", preferences: chosen });
      return { preferences: chosen };
    },

    /** This device, and how to make a second one. */
    device() {
      const { deviceId, createdAt } = store.identity.get();
      const isOnline = device.state === "ready";
      return {
        id: deviceId,
        createdAt,
        isOnline,
        home: new URL(addressOf(api)).origin,
        pairing: pairingOf(dataFolder),
      };
    },

    /** As `scouts devices`. @throws as `listDevices` */
    devices: async () => ({ devices: await listDevices(api, store.identity.get().deviceId) }),

    /** The model of the home that runs here, asked now; none of a home that runs elsewhere, which is its operator's. */
    async model() {
      const about = await aboutHomeOf(dataFolder, true);
      if (about === undefined) return { model: null };
      const { name, address, state, isCascade = false } = about.model;
      const { code, status, known, probedAt: askedAt } = state;
      const isFirst = isCascade && address !== null;
      return { model: { name, address, askedAt, trouble: toldIfAny(code), status, known, isCascade: isFirst } };
    },

    /** Where everything lies, and how much room there is, in bytes. */
    async data() {
      const { bavail, bsize } = await statfs(dataFolder);
      return { path: dataFolder, bytes: await folderSize(dataFolder), freeBytes: bavail * bsize };
    },

    /** As `scouts doctor`. */
    async doctor() {
      const { version, environment, newId } = program;
      return { checks: await examine({ dataFolder, version, environment, now, newId }) };
    },

    /** Whether there is anything yet. The home is asked only where this device knows of nothing: every first page waits for it. */
    async welcome() {
      const isKnown = store.localScouts.list().length > 0 || store.knownScouts.list().length > 0;
      const isEmpty = !isKnown && (await listScouts(api)).length === 0;
      return { isEmpty, hasSample: program.sampleMailbox !== undefined };
    },

    /** @throws as `addSource`; DeviceError `source_unknown` where there is no sample */
    async loadSample() {
      const { sampleMailbox } = program;
      if (sampleMailbox === undefined) throw new DeviceError("source_unknown");
      return consents.begin(async (consent) => {
        const { scoutId, name, sight } = await addSample(api, sampleMailbox, consent);
        log.add({ type: "scouts" });
        return { id: scoutId, name, ...toldSight(sight) };
      });
    },
  };
}
