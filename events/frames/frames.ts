import * as z from "zod";
import { agentClientFrames, agentServerFrames } from "./agents.ts";
import { folderClientFrames, folderServerFrames } from "./folders.ts";
import { itemClientFrames, itemServerFrames } from "./items.ts";
import { proposalClientFrames, proposalServerFrames } from "./proposals.ts";
import { scoutServerFrames } from "./scouts.ts";
import { errorServerFrames, sessionClientFrames, sessionServerFrames } from "./session.ts";

/** Everything a device may say. */
export const clientFrame = z.discriminatedUnion("type", [
  ...sessionClientFrames,
  ...proposalClientFrames,
  ...itemClientFrames,
  ...folderClientFrames,
  ...agentClientFrames,
]);
export type ClientFrame = z.infer<typeof clientFrame>;
export type ClientFrameType = ClientFrame["type"];

/** Everything the cloud may say to a device. */
export const serverFrame = z.discriminatedUnion("type", [
  ...sessionServerFrames,
  ...proposalServerFrames,
  ...itemServerFrames,
  ...scoutServerFrames,
  ...folderServerFrames,
  ...agentServerFrames,
  ...errorServerFrames,
]);
export type ServerFrame = z.infer<typeof serverFrame>;
/** @internal for the notes of docs/protocol.md */
export type ServerFrameType = ServerFrame["type"];
