/** An amount for people: `1.25 USD`, `0.0031 USD`. */
export function formatMoney(micros: number, currency: string): string {
  const amount = micros / 1_000_000;
  return `${amount.toFixed(amount >= 1 || micros % 10_000 === 0 ? 2 : 4)} ${currency}`;
}
