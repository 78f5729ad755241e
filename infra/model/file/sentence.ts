/** A text that ends as sentences do; "" stays "". */
export function sentence(text: string): string {
  return text === "" || /[.!?:。…]$/.test(text) ? text : `${text}.`;
}
