import { type Command, Option } from "commander";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { listScouts } from "../../device/connect/list-scouts.ts";
import type { FullItem } from "../../device/connection/content/item-assembly.ts";
import { openItem } from "../../device/connection/content/open-item.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { called } from "../../device/errors/called.ts";
import { DeviceError, isDeviceError } from "../../device/errors.ts";
import { dismissedCalled } from "../../device/items/dismissed.ts";
import { readItem } from "../../device/items/read-item.ts";
import { scoutNamed } from "../../device/sources/scout-named.ts";
import { findProposal, refCure } from "../../device/store/find-proposal.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { joinProposalId, type ProposalId } from "../../events/ids.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import { page } from "../output/pager.ts";
import { printable, printableLines } from "../output/printable.ts";
import { attachmentsText } from "../proposals/shown-proposals.ts";

interface OpenFlags extends CommonOptions {
  readonly scout?: string;
  readonly headers?: boolean;
}

/** The header of an item, a field a line, and how many are not there. */
function headerLines({ header }: FullItem): string {
  if (header === null) return "Its source has no headers for it.\n\n";
  const more = header.leftOut === 0 ? "" : `${counted(header.leftOut, "field")} more\n`;
  return `${header.fields.map(({ name, value }) => `${printable(name)}: ${printable(value)}\n`).join("")}${more}\n`;
}

/** Encrypted mail, and mail that is a file alone, has none. */
const noText = "It has no text that can be shown here; a mail program may show more of it.";

/** The files that an item brings, in one line, as far as this device knows of them. */
function filesOf(store: DeviceStore, id: ProposalId): string[] {
  const files = attachmentsText(store.proposals.find(id)?.metadata?.attachments ?? []);
  return files === "" ? [] : [files];
}

/** A proposal on this device, else what a scout has dismissed. @throws DeviceError `item_unknown`, `usage` */
async function itemNamed(
  store: DeviceStore,
  api: CloudApi,
  text: string,
  scout: string | undefined,
): Promise<ProposalId> {
  const proposal = scout === undefined ? findProposal(store, text) : undefined;
  if (proposal !== undefined) return proposal.id;
  const all = await listScouts(api);
  const scouts = scout === undefined ? all : [scoutNamed(all, scout)];
  const found = await dismissedCalled(api, scouts, text);
  if (found !== undefined) return joinProposalId(found.scout.id, found.ref);
  throw new DeviceError("item_unknown", {
    sentence: `There is no proposal ${called(text)}, and no dismissed item of that ref. ${refCure(text)}`,
  });
}

/** `scouts open`: an item as its source has it, for one look. */
export function addOpen(program: Command, context: CliContext): void {
  const command = program
    .command("open")
    .summary("read an item in full, once")
    .description(
      "Reads a proposal's item, or a dismissed one, in full at its source and shows it once; it is stored nowhere. Control " +
        "characters are made harmless. Text that is longer than the terminal is shown by $PAGER.",
    )
    .argument("<ref>", "ref or id of a proposal or dismissed item, or how it begins")
    .addOption(new Option("--scout <scout>", "a dismissed item of this scout"))
    .option("--headers", "its headers as well, to see where it comes from");
  withCommonOptions(command).action((text: string, flags: OpenFlags) =>
    withStore(context, flags, async (store, output) => {
      const api = homeOf(dataFolderOf(context, flags), context.now);
      const proposalId = await itemNamed(store, api, text, flags.scout);
      const { signal } = context.io;
      const { deviceId } = store.identity.get();
      const item = await readItem(store, proposalId, (id) =>
        openItem(id, { api, deviceId, ports: systemPorts, signal }),
      ).catch((error: unknown) => {
        if (isDeviceError(error, "device_closed")) throw new DeviceError("interrupted", { cause: error });
        throw error;
      });
      if (flags.json) return output.json(item);
      const head = [
        output.style("bold", printable(item.subject ?? "") || "(no subject)"),
        output.style("dim", printable(item.sender ?? "")),
        ...filesOf(store, proposalId).map((files) => output.style("dim", `Files: ${files}`)),
      ];
      const headers = flags.headers === true ? headerLines(item) : "";
      const shown = printableLines(item.text).trimEnd() || output.style("dim", noText);
      await page(context, `${head.join("\n")}\n\n${headers}${shown}`);
    }),
  );
}
