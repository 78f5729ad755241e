/**
 * A client without the step that writes requests to the SDK's own log. Nobody gave it one, yet it copies each request and
 * each answer member by member.
 */
export function withoutRequestLog<C extends { readonly middlewareStack: { remove(name: string): boolean } }>(
  client: C,
): C {
  client.middlewareStack.remove("loggerMiddleware");
  return client;
}
