import type { LambdaClient } from "@aws-sdk/client-lambda";
import { ScoutsError } from "../../events/errors.ts";
import type { SourceCall } from "../../events/sources/call.ts";
import type { RemoteSource } from "../ports/remote-source.ts";
import { unreached } from "../scouts/connectors/unreached.ts";
import { awsFailure, isThrottled } from "./failures.ts";

/**
 * {@link RemoteSource} by Lambda's `Invoke`: request and answer are in memory, and in nobody's log. Lambda's SDK is loaded by the
 * first call: most starts ask no other function.
 */
export class LambdaSource implements RemoteSource {
  readonly #functionName: string;
  readonly #timeoutMs: number;
  #client: LambdaClient | undefined;

  /** @param timeoutMs less than the asking function has itself */
  constructor(functionName: string, timeoutMs: number, client?: LambdaClient) {
    this.#functionName = functionName;
    this.#timeoutMs = timeoutMs;
    this.#client = client;
  }

  async call(call: SourceCall): Promise<unknown> {
    const { InvokeCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
    this.#client ??= new LambdaClient({ maxAttempts: 1 });
    const command = new InvokeCommand({ FunctionName: this.#functionName, Payload: Buffer.from(JSON.stringify(call)) });
    const abortSignal = AbortSignal.timeout(this.#timeoutMs);
    try {
      const { Payload, FunctionError } = await this.#client.send(command, { abortSignal });
      if (FunctionError !== undefined || !Payload)
        throw new ScoutsError("source_unavailable", { data: { what: "call" } });
      return JSON.parse(Buffer.from(Payload).toString());
    } catch (error) {
      // All executions of the function are at work, and so is the account's share: the source has not been asked.
      if (isThrottled(error)) throw unreached("busy", error);
      throw error instanceof ScoutsError ? error : awsFailure(error, "source_unavailable");
    }
  }
}
