import { parentPort, workerData } from "node:worker_threads";
import { isDeviceError } from "../../errors.ts";
import { VectorWriter } from "../vectors/vector-writer.ts";
import { openIndexToWrite } from "./index-file.ts";
import type { IndexAnswers, IndexOrder, IndexReply } from "./index-messages.ts";
import { IndexWriter } from "./index-writer.ts";

/** Thread that writes one project's index; ended by its owner, the only one who can order anything. */
const path: string = workerData;
let opened: { writer: IndexWriter; vectors: VectorWriter; wasDamaged: boolean } | undefined;

function open() {
  if (opened === undefined) {
    const { connection, wasDamaged } = openIndexToWrite(path);
    opened = { writer: new IndexWriter(connection), vectors: new VectorWriter(connection), wasDamaged };
  }
  return opened;
}

function done(order: IndexOrder): IndexAnswers[keyof IndexAnswers] {
  const { writer, vectors, wasDamaged } = open();
  switch (order.do) {
    case "known":
      return { documents: writer.known(), wasDamaged, isPurged: writer.isPurged() };
    case "state":
      return { isPurged: writer.isPurged(), followedTo: writer.followedTo() };
    case "put":
      return writer.put(order.documents) ?? undefined;
    case "setAbout":
      return writer.setAbout(order.said) ?? undefined;
    case "remove":
      return writer.remove(order.paths) ?? undefined;
    case "follow":
      return writer.follow(order);
    case "embedWith":
      return vectors.embedWith(order) ?? undefined;
    case "putVectors":
      return vectors.put(order);
    case "dropVectors":
      return vectors.drop() ?? undefined;
    case "purge":
      return writer.purge();
    case "finish":
      return writer.finish(order) ?? undefined;
    case "close":
      opened = undefined;
      return writer.close() ?? undefined;
  }
}

function reply(order: IndexOrder): IndexReply {
  try {
    return { value: done(order) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: { code: isDeviceError(error) ? error.code : null, message } };
  }
}

parentPort?.on("message", (order: IndexOrder) => parentPort?.postMessage(reply(order)));
