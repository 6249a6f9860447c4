/** A share from 0 to 1 as a whole number of hundredths. @see decision E18 */
export function toPercent(share: number): number {
  return Math.round(share * 100);
}
