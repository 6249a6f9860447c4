import type { InheritedDecision } from './model.ts';

/**
 * The thread's comments as they are now: SHA-256 of each body, in hexadecimal, by the comment's id. Only a complete
 * listing will do: what is missing here counts as deleted.
 */
export type CurrentComments = ReadonlyMap<string, string>;

export interface DecisionSplit {
  readonly valid: readonly InheritedDecision[];
  readonly stale: readonly (InheritedDecision & { readonly reason: 'edited' | 'deleted' })[];
}

/**
 * Parts decisions from those whose comment was edited or deleted since. A decision without a source stays; with
 * `comments` null, because the thread could not be read whole, all stay. @see decision C11
 */
export function splitStaleDecisions(
  decisions: readonly InheritedDecision[],
  comments: CurrentComments | null,
): DecisionSplit {
  const valid: InheritedDecision[] = [];
  const stale: DecisionSplit['stale'][number][] = [];
  for (const decision of decisions) {
    const reason = comments === null ? null : findReason(decision, comments);
    if (reason === null) valid.push(decision);
    else stale.push({ ...decision, reason });
  }
  return { valid, stale };
}

/** A shorter text may stand in a line by chance, and must be all of it. */
const shortestQuote = 8;

/** Takes the lines out of a summary that repeat a stale decision word for word. */
export function withoutDecisions(summary: string, stale: readonly { readonly text: string }[]): string {
  const texts = stale.map(({ text }) => text.trim()).filter((text) => text !== '');
  if (texts.length === 0) return summary;
  const kept = summary.split('\n').filter((line) => !texts.some((text) => isRepeated(line, text)));
  return kept.join('\n').trim();
}

function isRepeated(line: string, text: string): boolean {
  if (text.length >= shortestQuote) return line.includes(text);
  return line.replace(/^[\s>]*(?:[-*+・]|\d{1,3}[.)])?\s*/, '').trim() === text;
}

function findReason({ source }: InheritedDecision, comments: CurrentComments): 'edited' | 'deleted' | null {
  if (source === null) return null;
  const now = comments.get(source.commentId);
  if (now === undefined) return 'deleted';
  return source.sha256 === null || source.sha256 === now ? null : 'edited';
}
