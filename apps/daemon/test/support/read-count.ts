/**
 * Reads a number from the command line of a trial.
 *
 * @param least smallest number that is accepted; default 1, since 0 trials at a time would pass without a look
 * @throws Error that names the option if it is no whole number, or less
 */
export function readCount(
  text: string,
  name: string,
  { least = 1 }: { readonly least?: number } = {},
): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= least) return count;
  throw new Error(`${name} must be a whole number of at least ${least}, not "${text}"`);
}
