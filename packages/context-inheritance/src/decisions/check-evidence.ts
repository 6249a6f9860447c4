import type { DecisionEvidence, DecisionState } from './decision.ts';

/** Text of a file of the tree as it is now; null if it does not exist. Rejects if it could not be read. */
export type ReadTreeFile = (path: string) => Promise<string | null>;

const mostPaths = 10;
const maxPathChars = 300;
const maxQuoteChars = 300;

/**
 * Compares the evidence with the tree; null if both agree. The white space around a line does not count.
 * @throws what `readFile` rejects with
 */
export async function findMismatch(
  { paths, quote }: DecisionEvidence,
  readFile: ReadTreeFile,
): Promise<Extract<DecisionState, { kind: 'stale' }> | null> {
  let occurs = quote === null;
  for (const path of paths) {
    const text = await readFile(path);
    if (text === null) return { kind: 'stale', reason: 'missing-path', path };
    occurs ||= text.split(/\r\n|\r|\n/).some((line) => line.trim() === quote?.trim());
  }
  return occurs ? null : { kind: 'stale', reason: 'missing-line', path: paths[0] ?? '' };
}

/**
 * The part of a claimed evidence that holds in the tree: paths that exist, and the quote if it is a line of one of them.
 * Null if no path exists. Paths that leave the tree are never read.
 */
export async function verifyEvidence(
  { paths, quote }: DecisionEvidence,
  readFile: ReadTreeFile,
): Promise<DecisionEvidence | null> {
  const claimed = [...new Set(paths)].filter(isInsideTree).slice(0, mostPaths);
  const texts = new Map<string, string>();
  for (const path of claimed) {
    const text = await readFile(path).catch(() => null);
    if (text !== null) texts.set(path, text);
  }
  if (texts.size === 0) return null;
  const isLine =
    quote !== null && quote.trim() !== '' && quote.length <= maxQuoteChars && !/[\r\n]/.test(quote.trim());
  const whole = { paths: [...texts.keys()], quote: isLine ? quote.trim() : null };
  const mismatch =
    whole.quote === null ? null : await findMismatch(whole, async (path) => texts.get(path) ?? null);
  return mismatch === null ? whole : { ...whole, quote: null };
}

/** True for a path that cannot leave the tree. */
export function isInsideTree(path: string): boolean {
  const isRelative =
    !path.startsWith('/') && !/^[A-Za-z]:/.test(path) && !path.includes('\\') && !path.includes('\0');
  return path !== '' && path.length <= maxPathChars && isRelative && !path.split('/').includes('..');
}
