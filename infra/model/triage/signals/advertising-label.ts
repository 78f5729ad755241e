/**
 * What laws made advertising say of itself at the head of a subject: `ADV:` (several states of the US until 2003), `(광고)` (Korea),
 * `未承諾広告※` (Japan), `(AD)` (China).
 */
const label =
  /^(?:(?:re|fwd?):\s?)?(?:\[[^\]]{1,40}\]\s?)?[[(<*{"'_ -]{0,4}(?:(?:adv|ad|adult|publicidad|pubblicita|publicite)\s?[:)\]>*]|(?:광\s?고|廣\s?告|广\s?告|未承諾広告|広告)\s?[:)\]>*※＊）】])/i;

/** Whether a subject says of its mail that it is advertising. @param subject as it was sent: the label may stand in brackets */
export function isLabelled(subject: string): boolean {
  return label.test(subject.trimStart());
}
