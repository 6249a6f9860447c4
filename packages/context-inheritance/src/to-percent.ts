/** How much of a whole is done, 0 … 100, rounded; 0 of nothing. @see decision C17 */
export function toPercent(done: number, total: number): number {
  return total === 0 ? 0 : Math.round((100 * Math.min(done, total)) / total);
}
