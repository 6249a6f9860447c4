/** Options of `formatMoney`. */
export interface FormatMoneyOptions {
  /** True for four digits also of large amounts, so that parts add up. Default false. */
  readonly isExact?: boolean | undefined;
}

/** An amount for people: `1.25 USD`, `0.0031 USD`. */
export function formatMoney(
  micros: number,
  currency: string,
  { isExact = false }: FormatMoneyOptions = {},
): string {
  const amount = micros / 1_000_000;
  const isShort = micros % 10_000 === 0 || (amount >= 1 && !isExact);
  return `${amount.toFixed(isShort ? 2 : 4)} ${currency}`;
}
