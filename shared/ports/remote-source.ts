import type { SourceCall } from "../../events/sources/call.ts";

/** The function that alone can speak to a source. */
export interface RemoteSource {
  /**
   * Its answer, as it came: JSON that nobody has looked at. MUST throw `source_unavailable` when there is none, in which
   * case it MAY have been asked all the same.
   */
  call(call: SourceCall): Promise<unknown>;
}
