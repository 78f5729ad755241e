/** gpt-4o-mini, US dollars a million tokens (platform.openai.com/docs/pricing, read November 2026). */
const inputUsdPerMillion = 0.15;
const outputUsdPerMillion = 0.6;

/** What gpt-4o-mini would bill for these tokens, in US dollars. */
export function costOf(inputTokens: number, outputTokens: number): number {
  return (inputTokens * inputUsdPerMillion + outputTokens * outputUsdPerMillion) / 1e6;
}
