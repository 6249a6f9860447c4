import { toCodeBlock } from '@agent/text';
import { checkOptions, expectNumber } from '@agent/text/options';
import { keepLastLines } from '../http/read-tail.ts';
import { compareComments, unchangedListing } from '../listings/comment-listing.ts';
import type { CheckConclusion, Comment } from '../model.ts';
import type { CallOptions } from '../ports.ts';
import type { Check, Checks, ProvenSource } from '../review-ports.ts';

/** Options of a source of checks. */
export interface CheckSourceOptions {
  /** Characters of the end of a log that a comment shows. Default 4,000. */
  readonly logChars?: number | undefined;
}

/** A source of checks, which knows whether they have come to an end. */
export interface CheckSource extends ProvenSource {
  /** Tells whether every check of the head that was listed last has ended. */
  readonly isSettled: () => boolean;
}

/** Knowledge of one commit's checks. */
interface HeadMemory {
  readonly logs: Map<string, string | null>;
  wasGreen: boolean;
  comments: readonly Comment[];
}

/**
 * Lists the checks of a change request's head as comments: one for each that has failed there, edited when it ends again, and one
 * as soon as all have passed. A check that has not ended, or passes at once, says nothing. A new head has comments of its own; those
 * of an older one are gone from the listing, and stand.
 *
 * @example
 * const source = createCheckSource(review.checks);
 * const { comments } = await source.listComments({ since: null });
 */
export function createCheckSource(checks: Checks, options: CheckSourceOptions = {}): CheckSource {
  checkOptions('CheckSourceOptions', options, { logChars: expectNumber(0) });
  const { logChars = 4_000 } = options;
  const heads = new Map<string, HeadMemory>();
  const shown = new Map<string | null, string>();
  let isSettled = false;
  const read = async (head: string, { signal }: CallOptions): Promise<readonly Comment[]> => {
    const attempts = await checks.list({ head, signal });
    const memory = heads.get(head) ?? { logs: new Map(), wasGreen: false, comments: [] };
    heads.set(head, memory);
    isSettled = attempts.every(hasEnded);
    for (const check of findFailures(attempts)) {
      if (!memory.logs.has(check.id)) memory.logs.set(check.id, await checks.readLog(check, { signal }));
    }
    memory.wasGreen ||= areGreen(attempts);
    memory.comments = toCheckComments(attempts, { head, logChars, ...memory });
    return memory.comments;
  };
  return {
    isSettled: () => isSettled,
    listComments: async ({ since, signal }) => {
      const comments = await read(await checks.readHead({ signal }), { signal });
      const cursor = comments.at(-1)?.updatedAt ?? since;
      const mark = JSON.stringify(comments);
      if (shown.get(since) === mark) return unchangedListing(cursor);
      for (const other of shown.keys()) if (other !== null) shown.delete(other);
      shown.set(since, mark);
      return { comments, complete: since === null, cursor, unchanged: false };
    },
    getComment: async (id, { signal } = {}) => {
      const head = /^check-([0-9a-f]+)/u.exec(id)?.[1];
      if (head === undefined) return null;
      const comments = heads.get(head)?.comments ?? (await read(head, { signal }));
      return comments.find((comment) => comment.id === id) ?? null;
    },
  };
}

/** Facts beside the attempts. */
interface CheckFacts extends Pick<HeadMemory, 'logs' | 'wasGreen'> {
  readonly head: string;
  readonly logChars: number;
}

/** Words for the checks of one commit, in the order of time. */
function toCheckComments(attempts: readonly Check[], facts: CheckFacts): readonly Comment[] {
  const named = [...Map.groupBy(attempts, ({ name }) => name).values()];
  const all = [...named.flatMap((some) => toFailure(some, facts)), ...toSummary(attempts, facts)];
  return all.toSorted(compareComments);
}

/** A check that has failed on this head, as it ended last. */
function toFailure(attempts: readonly Check[], { head, logs, logChars }: CheckFacts): readonly Comment[] {
  const ended = attempts.filter(hasEnded);
  const failed = ended.find(({ conclusion }) => isFailure(conclusion));
  const last = ended.at(-1);
  if (failed === undefined || last === undefined) return [];
  const { name, conclusion, attempt, url, summary } = last;
  const flaky = ended.some((check) => isPass(check.conclusion));
  const again = attempt > 1 ? ` in attempt ${attempt}` : '';
  const said = [
    `The check ${JSON.stringify(name)} ended with "${conclusion}"${again} on commit ${head.slice(0, 8)}.`,
    flaky ? 'It has both failed and passed on this commit.' : '',
    summary.trim(),
    formatLog(isFailure(conclusion) ? (logs.get(last.id) ?? '') : '', logChars),
  ];
  return [
    {
      ...{ id: `check-${head}-${name}`, author: null, body: joinParts(said) },
      ...{ createdAt: failed.endedAt, updatedAt: last.endedAt, url, visibility: 'public' },
      subject: { kind: 'check', name, conclusion, head, url, attempt, flaky },
    },
  ];
}

/** One comment for all, once all that count have passed. */
function toSummary(attempts: readonly Check[], { head, wasGreen }: CheckFacts): readonly Comment[] {
  const counting = listCounting(attempts);
  const times = counting.flatMap(({ endedAt }) => endedAt ?? []).sort();
  const [first] = times;
  if (!wasGreen || first === undefined) return [];
  const names = [...new Set(counting.map(({ name }) => JSON.stringify(name)))].sort().join(', ');
  const isGreen = areGreen(attempts);
  const said = isGreen ? 'All checks passed' : 'Not all checks pass any more';
  const conclusion = isGreen ? 'success' : 'failure';
  return [
    {
      ...{ id: `check-${head}`, author: null, body: `${said} on commit ${head.slice(0, 8)}: ${names}.` },
      ...{ createdAt: first, updatedAt: times.at(-1) ?? first, url: null, visibility: 'public' },
      subject: { kind: 'check', name: null, conclusion, head, url: null, attempt: 1, flaky: false },
    },
  ];
}

/** The last attempts of checks that have ended in a failure. */
function findFailures(attempts: readonly Check[]): readonly Check[] {
  const last = Map.groupBy(attempts.filter(hasEnded), ({ name }) => name);
  return [...last.values()]
    .flatMap((ended) => ended.slice(-1))
    .filter((check) => isFailure(check.conclusion));
}

/** Tells whether every check that counts has passed in its last attempt. */
function areGreen(attempts: readonly Check[]): boolean {
  const last = [...Map.groupBy(listCounting(attempts), ({ name }) => name).values()].map((all) => all.at(-1));
  return last.length > 0 && last.every((check) => isPass(check?.conclusion ?? null));
}

/** Lists those that the change may not be merged without; all where nothing is known to be required. */
function listCounting(attempts: readonly Check[]): readonly Check[] {
  const required = attempts.filter((check) => check.required === true);
  return required.length > 0 ? required : attempts;
}

type EndedCheck = Check & { readonly conclusion: CheckConclusion; readonly endedAt: string };

function hasEnded(check: Check): check is EndedCheck {
  return check.conclusion !== null && check.endedAt !== null;
}

const isPass = (conclusion: CheckConclusion | null) =>
  conclusion === 'success' || conclusion === 'neutral' || conclusion === 'skipped';

const isFailure = (conclusion: CheckConclusion | null) =>
  conclusion === 'failure' || conclusion === 'timed-out' || conclusion === 'action-required';

/** Whole lines of the end, as a block of code. */
function formatLog(log: string, maxChars: number): string {
  const text = log.trimEnd();
  if (text === '') return '';
  const cut = keepLastLines(text, { maxChars });
  if (cut === '') return '';
  return `The end of its log:\n\n${toCodeBlock(cut, '')}`;
}

const joinParts = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n');
