/** Admission was the authorizer's; a connection counts from its `hello` on, because nothing can be posted before. */
export async function handler(): Promise<{ statusCode: number }> {
  return { statusCode: 200 };
}
