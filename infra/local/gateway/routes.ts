import type { HttpApiNode } from "../graph.ts";

export type HttpRoute = HttpApiNode["routes"][number];

export interface RouteMatch {
  route: HttpRoute;
  pathParameters: Record<string, string>;
}

interface Compiled {
  route: HttpRoute;
  method: string;
  segments: string[];
}

const greedy = (segment: string) => /^\{.+\+\}$/.test(segment);
const variable = (segment: string) => /^\{[^+]+\}$/.test(segment);

/** How specific a pattern is, segment by segment: literal before variable before greedy. */
const specificity = (segments: string[]) =>
  segments.map((segment) => (greedy(segment) ? "0" : variable(segment) ? "1" : "2")).join("");

/**
 * Finds the route of a request with API Gateway's precedence: full match of method and path, then greedy paths, then
 * `$default`; a named method before ANY of the same path (HTTP API developer guide, "Routing API requests").
 */
export function routeTable(routes: HttpRoute[]): (method: string, path: string) => RouteMatch | undefined {
  const fallback = routes.find(({ route }) => route === "$default");
  const compiled = routes
    .filter((route) => route !== fallback)
    .map((route): Compiled => {
      const [method = "", path = ""] = route.route.split(" ");
      return { route, method, segments: path.split("/") };
    })
    .sort((a, b) => {
      const order = specificity(b.segments).localeCompare(specificity(a.segments));
      return order !== 0 ? order : Number(a.method === "ANY") - Number(b.method === "ANY");
    });
  return (method, path) => {
    const parts = path.split("/");
    for (const candidate of compiled) {
      if (candidate.method !== "ANY" && candidate.method !== method) continue;
      const pathParameters = parametersOf(candidate.segments, parts);
      if (pathParameters) return { route: candidate.route, pathParameters };
    }
    return fallback && { route: fallback, pathParameters: {} };
  };
}

function parametersOf(segments: string[], parts: string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if (greedy(segment)) {
      const rest = parts.slice(index).join("/");
      if (rest === "") return undefined;
      parameters[segment.slice(1, -2)] = decode(rest);
      return parameters;
    }
    const part = parts[index];
    if (part === undefined) return undefined;
    if (variable(segment)) {
      if (part === "") return undefined;
      parameters[segment.slice(1, -1)] = decode(part);
    } else if (segment !== part) return undefined;
  }
  return segments.length === parts.length ? parameters : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone "%" is passed on as it is
  }
}
