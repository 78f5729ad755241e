import type { DeviceErrorCode } from "../../errors.ts";
import type { MadeWith } from "../vectors/index-vectors.ts";
import type { EmbeddedPassages } from "../vectors/vector-writer.ts";
import type { Finished, FollowedChanges, IndexedDocument, KnownDocument } from "./index-writer.ts";

/** What the thread that writes is asked, each answered before the next is begun. */
export type IndexOrder =
  | { readonly do: "known" }
  | { readonly do: "state" }
  | { readonly do: "put"; readonly documents: readonly IndexedDocument[] }
  | { readonly do: "setAbout"; readonly said: readonly { readonly path: string; readonly about: string }[] }
  | { readonly do: "remove"; readonly paths: readonly string[] }
  | ({ readonly do: "follow" } & FollowedChanges)
  | ({ readonly do: "embedWith" } & MadeWith)
  | ({ readonly do: "putVectors" } & EmbeddedPassages)
  | { readonly do: "dropVectors" }
  | { readonly do: "purge" }
  | ({ readonly do: "finish" } & Finished)
  | { readonly do: "close" };

/** What an order gives. */
export interface IndexAnswers {
  known: {
    readonly documents: ReadonlyMap<string, KnownDocument>;
    readonly wasDamaged: boolean;
    readonly isPurged: boolean;
  };
  /** As long to answer whatever the index holds. */
  state: {
    /** False when the bytes may hold something of what was removed. */
    readonly isPurged: boolean;
    /** See {@link IndexWriter.followedTo}. */
    readonly followedTo: number | undefined;
  };
  put: undefined;
  setAbout: undefined;
  remove: undefined;
  /** False when somebody else has done so. */
  follow: boolean;
  embedWith: undefined;
  /** See {@link VectorWriter.put}. */
  putVectors: "stored" | "gone" | "other";
  dropVectors: undefined;
  /** False when a reader held the log. */
  purge: boolean;
  finish: undefined;
  close: undefined;
}

export interface IndexReply {
  readonly value?: IndexAnswers[keyof IndexAnswers];
  /** Why it was not done; null for what is no code of the device's. */
  readonly failure?: { readonly code: DeviceErrorCode | null; readonly message: string };
}
