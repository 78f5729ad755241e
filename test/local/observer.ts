import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** What a fixture function is told to do with an event. */
export type Instruction =
  | { do: "return"; value?: unknown }
  | { do: "throw"; message: string }
  | { do: "exit" }
  /** Returns, and exits when that has been told. */
  | { do: "exitLater" }
  | { do: "hang" }
  | { do: "allocate" }
  | { do: "print"; text: string }
  /** Says how much time is left once the clock has been set by that much. */
  | { do: "setClock"; byMs: number }
  | { do: "resource"; name: string }
  | { do: "aws"; calls: string[]; catchErrors?: boolean };

export interface Sighting {
  role: string;
  event: Record<string, unknown>;
  environment: string[];
  remainingMs: number;
}

export interface Observer {
  url: string;
  seen: Sighting[];
  /** Answers the events of a role; without one, functions return nothing. */
  script(role: string, answer: (sighting: Sighting) => Instruction | Promise<Instruction>): void;
  /** Resolves with the first `count` sightings of a role, now or later. */
  sightings(role: string, count: number): Promise<Sighting[]>;
  close(): Promise<void>;
}

/** The other end of the fixture functions: sees every event and decides what the function does. */
export async function startObserver(): Promise<Observer> {
  const seen: Sighting[] = [];
  const scripts = new Map<string, (sighting: Sighting) => Instruction | Promise<Instruction>>();
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const sighting = (await json(request)) as Sighting;
    seen.push(sighting);
    for (const check of waiting) check();
    const instruction = await (scripts.get(sighting.role)?.(sighting) ?? { do: "return" });
    response.end(JSON.stringify(instruction));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    seen,
    script: (role, answer) => void scripts.set(role, answer),
    sightings(role, count) {
      const { promise, resolve } = Promise.withResolvers<Sighting[]>();
      const check = () => {
        const found = seen.filter((sighting) => sighting.role === role);
        if (found.length < count) return;
        waiting.delete(check);
        resolve(found.slice(0, count));
      };
      waiting.add(check);
      check();
      return promise;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
