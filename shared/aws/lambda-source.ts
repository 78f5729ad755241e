import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { ScoutsError } from "../../events/errors.ts";
import type { SourceCall } from "../../events/sources.ts";
import type { RemoteSource } from "../ports/remote-source.ts";

/** {@link RemoteSource} by Lambda's `Invoke`: request and answer are in memory, and in nobody's log. */
export class LambdaSource implements RemoteSource {
  readonly #functionName: string;
  readonly #timeoutMs: number;
  readonly #client: LambdaClient;

  /** @param timeoutMs less than the asking function has itself */
  constructor(functionName: string, timeoutMs: number, client = new LambdaClient({ maxAttempts: 1 })) {
    this.#functionName = functionName;
    this.#timeoutMs = timeoutMs;
    this.#client = client;
  }

  async call(call: SourceCall): Promise<unknown> {
    const command = new InvokeCommand({ FunctionName: this.#functionName, Payload: Buffer.from(JSON.stringify(call)) });
    const abortSignal = AbortSignal.timeout(this.#timeoutMs);
    try {
      const { Payload, FunctionError } = await this.#client.send(command, { abortSignal });
      if (FunctionError !== undefined || !Payload)
        throw new ScoutsError("source_unavailable", { data: { what: "call" } });
      return JSON.parse(Buffer.from(Payload).toString());
    } catch (error) {
      throw error instanceof ScoutsError ? error : new ScoutsError("source_unavailable", { cause: error });
    }
  }
}
