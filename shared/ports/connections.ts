import type { ServerFrame } from "../../events/frames/frames.ts";

/** The open sockets, as API Gateway's management API shows them. */
export interface Connections {
  /**
   * Posts one frame. `gone` when the connection is known to be closed (HTTP 410): whoever keeps a row of it removes it.
   * Any other failure throws; the frame may or may not have arrived.
   *
   * @throws payload_too_large for a frame of more than 128 KB (`socketLimits.messageBytes`), which has not
   */
  post(connectionId: string, frame: ServerFrame): Promise<"sent" | "gone">;
  /** Closes a connection from our side; a closed one is fine. */
  close(connectionId: string): Promise<void>;
}
