import { ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { SourceCall } from "../../../../events/sources/call.ts";
import type { SourceAnswer, SourceReply } from "../../../../events/sources/reply.ts";
import { Transient } from "../../../privacy/transient.ts";
import type { ConnectorRegistry, ScoutAtSource, SourceConnector } from "../connector.ts";
import { carriedContent, carriedFailure, carriedMetadata, carriedSees } from "./carried.ts";

/** Answers what another function asks of a source (see {@link RemoteConnector}). Every failure is an answer. */
export async function answerCall(connectors: ConnectorRegistry, call: SourceCall): Promise<SourceReply> {
  try {
    const connector = connectors.get(call.sourceType);
    if (!connector) throw new ScoutsError("source_unknown");
    return { v: 1, answer: await answered(connector, call) };
  } catch (error) {
    return { v: 1, answer: { what: "failed", failed: carriedFailure(error) } };
  }
}

async function answered(connector: SourceConnector, { scout, ask }: SourceCall): Promise<SourceAnswer> {
  switch (ask.what) {
    case "verify":
      return verified(connector, scout, ask);
    case "sees":
      return { what: ask.what, sees: carriedSees(await connector.sees(scout)) };
    case "cursor":
      return { what: ask.what, cursor: await connector.currentCursor(scout) };
    case "list": {
      const { refs, ...rest } = await connector.listNew(scout, {
        cursor: ask.cursor,
        ...(ask.page && { page: ask.page }),
      });
      return { what: ask.what, refs: [...refs], ...rest };
    }
    case "metadata":
      return { what: ask.what, items: await allRead(connector, scout, ask.refs) };
    case "content":
      return { what: ask.what, ...carriedContent(await connector.fetchContent(scout, ask.ref, ask.reading)) };
    case "granted":
      return { what: ask.what, granted: (await connector.archive?.granted(scout)) ?? false };
    case "archive": {
      const outcome = (await connector.archive?.archive(scout, ask.ref, ask.state)) ?? "not_granted";
      return { what: ask.what, outcome };
    }
    case "letGo":
      await connector.letGo?.(scout);
      return { what: ask.what };
    case "restore":
      await connector.archive?.restore(scout, ask.ref);
      return { what: ask.what };
  }
}

async function verified(
  { settings }: SourceConnector,
  scout: ScoutAtSource,
  { given, own }: Extract<SourceCall["ask"], { what: "verify" }>,
): Promise<SourceAnswer> {
  const parsed = settings?.schema.safeParse(given);
  if (!settings || !parsed?.success) throw new ScoutsError("invalid_request", { data: { where: "settings" } });
  const found = await settings.verify(scout, new Transient({ given: parsed.data, ...(own && { own }) }));
  return {
    what: "verify",
    sees: carriedSees(found.sees),
    identity: found.identity.reveal(),
    ...(found.alsoKnownAs && { alsoKnownAs: [...found.alsoKnownAs.reveal()] }),
    cursor: found.cursor,
    ...(found.own && { own: { ...found.own.reveal() } }),
  };
}

async function allRead(connector: SourceConnector, scout: ScoutAtSource, refs: readonly ItemRef[]) {
  const read = (await connector.fetchMetadataMany?.(scout, refs)) ?? [];
  return refs.map((_, index) => {
    const item = read[index];
    if (item === undefined || item instanceof ScoutsError) return { failed: carriedFailure(item) };
    return { read: carriedMetadata(item) };
  });
}
