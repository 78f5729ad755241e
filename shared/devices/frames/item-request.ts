import { ScoutsError } from "../../../events/errors.ts";
import { type ClientFrame, metadataBounds, type ServerFrame } from "../../../events/frames.ts";
import { splitProposalId } from "../../../events/ids.ts";
import type { ScoutAtSource, SourceConnector } from "../../scouts/connectors/connector.ts";
import { senderLine } from "../../scouts/connectors/metadata.ts";
import type { DevicePorts, From } from "./device-ports.ts";

/** Long texts go in parts below API Gateway's 128 KB a message; a character is at most three bytes of JSON's UTF-8, or
 * six when escaped, hence the small number. */
const partCharacters = 16_000;

/** "Read the full item": fetched now, answered now, kept nowhere. */
export async function itemRequested(
  ports: DevicePorts,
  from: From,
  frame: Extract<ClientFrame, { type: "scout_item_request" }>,
): Promise<void> {
  const { proposalId } = frame;
  const { scoutId, ref } = splitProposalId(proposalId);
  const [row] = await ports.items.getMany([{ userId: from.userId, scoutId, ref }]);
  const connector = row && ports.connectors.get(row.sourceType);
  if (!connector) throw new ScoutsError("proposal_not_found");
  const scout = (await ports.scouts.find(from.userId, scoutId)) ?? row;
  await takeForOne(ports, scout, connector, frame.background !== true);
  const { subject, sender, header, text, otherText, machineParts } = await connector.fetchContent(scout, ref);
  const other = otherText?.reveal() ?? "";
  const whole =
    other === "" ? text.reveal() : `${text.reveal()}\n\n[Some mail programs show this text instead:]\n${other}`;
  const machine = machineParts === undefined ? "" : JSON.stringify(machineParts.reveal());
  // The first part has less room where the header is beside it.
  const firstCharacters = header === undefined ? partCharacters : partCharacters - metadataBounds.header;
  const rest = Math.max(whole.length, machine.length) - firstCharacters;
  const parts = 1 + Math.max(0, Math.ceil(rest / partCharacters));
  const endOf = (part: number) => firstCharacters + (part - 1) * partCharacters;
  const pieceOf = (content: string, part: number) => content.slice(part === 1 ? 0 : endOf(part - 1), endOf(part));
  for (let part = 1; part <= parts; part += 1) {
    const answer: ServerFrame = {
      type: "scout_item",
      inReplyTo: frame.id,
      proposalId,
      subject: subject.reveal(),
      sender: senderLine(sender.reveal()),
      ...(header !== undefined && part === 1 && { header: header.reveal() }),
      part,
      parts,
      text: pieceOf(whole, part),
      ...(machine === "" ? {} : { machine: pieceOf(machine, part) }),
    };
    if ((await ports.sockets.post(from.connectionId, answer)) === "gone") return;
  }
}

/** @param isWaitedFor the read may use the reserve */
async function takeForOne(
  { quota }: DevicePorts,
  scout: ScoutAtSource,
  { limits }: SourceConnector,
  isWaitedFor: boolean,
): Promise<void> {
  const taken = await quota.take(scout, limits, limits?.costs.read ?? 0, isWaitedFor);
  if (!taken.granted) throw new ScoutsError("source_quota_spent", { data: { untilMs: taken.untilMs } });
}
