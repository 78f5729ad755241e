import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PayloadTooLargeException,
  PostToConnectionCommand,
} from "@aws-sdk/client-apigatewaymanagementapi";
import type { ServerFrame } from "../../events/frames/frames.ts";
import type { Connections } from "../ports/connections.ts";
import { awsFailure } from "./failures.ts";
import { withoutRequestLog } from "./without-request-log.ts";

/**
 * Longest that the management API is waited for, its repetitions included. It answers within milliseconds, but some posts have hung
 * for as long as their function lived, and the SDK by itself waits without end.
 */
const answerMs = 5_000;

/** {@link Connections} on API Gateway's management API. */
export class GatewayConnections implements Connections {
  readonly #client: ApiGatewayManagementApiClient;
  readonly #answerMs: number;

  /** @param endpoint the API's management endpoint, stage included */
  constructor(
    endpoint: string,
    longestMs = answerMs,
    client = withoutRequestLog(new ApiGatewayManagementApiClient({ endpoint })),
  ) {
    this.#client = client;
    this.#answerMs = longestMs;
  }

  async post(connectionId: string, frame: ServerFrame): Promise<"sent" | "gone"> {
    try {
      const Data = new TextEncoder().encode(JSON.stringify(frame));
      await this.#client.send(new PostToConnectionCommand({ ConnectionId: connectionId, Data }), this.#inTime());
      return "sent";
    } catch (error) {
      if (error instanceof GoneException) return "gone";
      throw awsFailure(error, error instanceof PayloadTooLargeException ? "payload_too_large" : "internal");
    }
  }

  async close(connectionId: string): Promise<void> {
    try {
      await this.#client.send(new DeleteConnectionCommand({ ConnectionId: connectionId }), this.#inTime());
    } catch (error) {
      if (!(error instanceof GoneException)) throw awsFailure(error, "internal");
    }
  }

  #inTime() {
    return { abortSignal: AbortSignal.timeout(this.#answerMs) };
  }
}
