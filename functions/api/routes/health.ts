import { type HealthResponse, healthQuery, healthResponse } from "../../../events/http/health.ts";
import { asScoutsError } from "../../../shared/outcome/outcome.ts";
import type { Clock } from "../../../shared/ports/clock.ts";
import type { Log } from "../../../shared/ports/log.ts";
import { parsed } from "../request-body.ts";
import type { Route } from "../route.ts";

/** Something the service cannot do without. `run` throws what is wrong with it. */
export interface HealthCheck {
  readonly name: HealthResponse["checks"][number]["name"];
  run(): Promise<void>;
}

export interface HealthPorts {
  /** What every request needs: looked at by every call. */
  readonly always: readonly HealthCheck[];
  /** The rest, looked at when `deep` is asked for. */
  readonly deep: readonly HealthCheck[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Anybody may ask, so one environment looks this often at most. */
const freshMs = { always: 5_000, deep: 30_000 };

type Outcomes = HealthResponse["checks"];

/** `GET /health`: codes only, so that whoever asks learns nothing of what is inside. */
export function healthRoutes(): readonly Route<HealthPorts>[] {
  const known = new Map<keyof typeof freshMs, { readonly atMs: number; readonly outcomes: Promise<Outcomes> }>();
  const look = (ports: HealthPorts, which: keyof typeof freshMs): Promise<Outcomes> => {
    const last = known.get(which);
    const nowMs = ports.clock();
    // A clock that stepped back makes the last look one of the future, which is no reason to believe it.
    if (last && nowMs >= last.atMs && nowMs - last.atMs < freshMs[which]) return last.outcomes;
    const outcomes = Promise.all(ports[which].map((check) => outcomeOf(check, ports.log)));
    known.set(which, { atMs: nowMs, outcomes });
    return outcomes;
  };
  return [
    {
      method: "GET",
      path: "/health",
      operationId: "getServiceHealth",
      summary: "Whether the service can work: its tables; with `deep`, its queues, key rings and language model too",
      tag: "Service",
      query: healthQuery,
      answers: [
        { status: 200, description: "It can.", schema: healthResponse },
        { status: 503, description: "It cannot: `checks` says what fails, by code.", schema: healthResponse },
      ],
      errors: [],
      open: true,
      async serve(c, portsOf) {
        const { deep } = parsed(healthQuery, c.req.query());
        const ports = portsOf();
        const checks = [...(await look(ports, "always")), ...(deep === undefined ? [] : await look(ports, "deep"))];
        const ok = checks.every((check) => check.ok);
        const answer: HealthResponse = { status: ok ? "ok" : "failing", checks };
        return c.json(answer, ok ? 200 : 503);
      },
    },
  ];
}

async function outcomeOf({ name, run }: HealthCheck, log: Log): Promise<Outcomes[number]> {
  try {
    await run();
    return { name, ok: true };
  } catch (error) {
    log.error("health_check_failed", error, { check: name });
    const { code, data } = asScoutsError(error);
    const since = data["since"];
    return { name, ok: false, code, ...(typeof since === "number" && { since }) };
  }
}
