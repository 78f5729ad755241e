import { type Command, Option } from "commander";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { listScouts } from "../../device/connect/list-scouts.ts";
import { called } from "../../device/errors/called.ts";
import { DeviceError } from "../../device/errors.ts";
import { dismissedCalled, restoreDismissed } from "../../device/items/dismissed.ts";
import { scoutNamed } from "../../device/sources/scout-named.ts";
import { findProposal, refCure } from "../../device/store/find-proposal.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { isScoutsError } from "../../events/errors.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { itemRef } from "../../events/ids.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { printable } from "../output/printable.ts";
import { withHome } from "../scouts/scouts-home.ts";

interface RestoreFlags extends CommonOptions {
  readonly scout?: string;
}

interface Place {
  readonly scoutId: string;
  readonly ref: string;
}

/** One that was restored before is dismissed no longer, and restoring it again is no mistake. */
async function restoredBefore(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
  text: string,
): Promise<Place | undefined> {
  const bare = scouts.reduce((rest, { id }) => (rest.startsWith(`${id}.`) ? rest.slice(id.length + 1) : rest), text);
  const ref = itemRef.safeParse(bare);
  if (!ref.success) return undefined;
  for (const { id } of scouts) {
    try {
      await restoreDismissed(api, id, ref.data);
      return { scoutId: id, ref: ref.data };
    } catch (error) {
      if (!isScoutsError(error, "proposal_not_found")) throw error;
    }
  }
  return undefined;
}

/** What a proposal on this device is of, where it was dismissed once. @throws DeviceError `usage`, `item_unknown` where it never was */
async function restoredProposal(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
  proposal: StoredProposal | undefined,
): Promise<Place | undefined> {
  if (proposal === undefined || !scouts.some(({ id }) => id === proposal.scoutId)) return undefined;
  const place = { scoutId: proposal.scoutId, ref: proposal.sourceMsgRef };
  try {
    await restoreDismissed(api, place.scoutId, place.ref);
    return place;
  } catch (cause) {
    if (!isScoutsError(cause, "proposal_not_found")) throw cause;
    const sentence = `${called(place.ref)} was not dismissed: it is among your proposals; see: scouts proposals show ${proposal.id}`;
    throw new DeviceError("item_unknown", { sentence, cause });
  }
}

async function restore(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
  text: string,
  proposalNamed: () => Promise<StoredProposal | undefined>,
): Promise<Place> {
  const found = await dismissedCalled(api, scouts, text);
  if (found === undefined) {
    const before =
      (await restoredBefore(api, scouts, text)) ?? (await restoredProposal(api, scouts, await proposalNamed()));
    if (before !== undefined) return before;
    const list = "`scouts spam` shows what was dismissed, and `scouts proposals list` what was restored.";
    throw new DeviceError("item_unknown", {
      sentence: `No scout has dismissed ${called(text)}, or it was restored already: ${list} ${refCure(text)}`.trim(),
    });
  }
  const place = { scoutId: found.scout.id, ref: found.ref };
  await restoreDismissed(api, place.scoutId, place.ref);
  return place;
}

/** `scouts restore`: takes dismissed items back, out of Trash too; they become proposals. */
export function addRestore(program: Command, context: CliContext): void {
  const command = program
    .command("restore")
    .description("take dismissed items back: out of Trash, and proposed to you")
    .argument("<ref...>", "refs of items, as `scouts spam` shows them, or how they begin")
    .addOption(new Option("--scout <scout>", "only this scout's, where several dismissed the same"));
  withCommonOptions(command).action((refs: string[], flags: RestoreFlags) =>
    withHome(context, flags, async (api, output) => {
      const all = await listScouts(api);
      const scouts = flags.scout === undefined ? all : [scoutNamed(all, flags.scout)];
      const proposalNamed = (text: string) => withStore(context, flags, (store) => findProposal(store, text));
      const restored: string[] = [];
      for (const text of refs) {
        const { ref } = await restore(api, scouts, text, () => proposalNamed(text));
        restored.push(ref);
        if (!flags.json) output.line(`restored  ${printable(ref)}`);
      }
      if (flags.json) output.json({ restored });
    }),
  );
}
