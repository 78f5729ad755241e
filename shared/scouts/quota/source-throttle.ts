import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { boundedWaitMs } from "../../requests/wait.ts";
import type { ConnectorRegistry } from "../connectors/connector.ts";
import type { ScoutRow } from "../scout-row.ts";
import type { SourceQuota } from "./source-quota.ts";

export interface RefusalPorts {
  readonly quota: SourceQuota;
  readonly connectors: ConnectorRegistry;
  readonly clock: Clock;
}

/** What a source refused for its rate, during one run: written down once a scout, however many calls were refused. */
export class SourceThrottle {
  readonly #ports: RefusalPorts;
  readonly #untilMs = new Map<string, Promise<number>>();

  constructor(ports: RefusalPorts) {
    this.#ports = ports;
  }

  /** The error to go on with: a refused call's says how long nobody is to ask this source again. */
  async record(scout: ScoutRow, error: unknown): Promise<unknown> {
    if (!isScoutsError(error, "source_rate_limited")) return error;
    const { quota, connectors, clock } = this.#ports;
    const said = error.data["retryAfterMs"];
    const limits = connectors.get(scout.sourceType)?.limits;
    const retryAfterMs = typeof said === "number" ? said : undefined;
    const until = this.#untilMs.get(scout.scoutId) ?? quota.refused(scout, limits, retryAfterMs);
    this.#untilMs.set(scout.scoutId, until);
    try {
      const waitMs = Math.max((await until) - clock(), boundedWaitMs(retryAfterMs ?? 0), 1000);
      return new ScoutsError(error.code, { data: { ...error.data, retryAfterMs: waitMs }, cause: error });
    } catch {
      // The bucket could not be written: the item still waits as long as the source says.
      return error;
    }
  }
}
