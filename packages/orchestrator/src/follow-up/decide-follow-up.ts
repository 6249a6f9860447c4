import type { CommentChange } from '@agent/comment-detection';
import type { Account, ChangeRequest, Check, CheckSubject, Comment } from '@agent/platforms';
import { isMentioned } from '@agent/text';
import type { FollowUpSettings } from '../config/follow-up-settings.ts';
import { parseCommand } from '../inbox/commands.ts';
import { findApprovalPhrase } from '../plan/approvals.ts';
import { asksForNothing } from '../thread/review-sources.ts';
import { type FollowUpEnd, type FollowUpRecord, listOverRounds } from './follow-up-record.ts';

/** Change request as it stands, and what the model has not received yet. */
export interface SeenRequest {
  readonly request: Pick<ChangeRequest, 'state' | 'headSha' | 'conflicts' | 'mergeQueued'>;
  /** Every attempt of every check of its head, in the order of time; empty where they cannot be read. */
  readonly checks: readonly Check[];
  readonly said: readonly CommentChange[];
  readonly record: FollowUpRecord;
  /** Names of checks that were run again, or cannot be. */
  readonly reruns: ReadonlySet<string>;
  readonly settings: FollowUpSettings;
  readonly wish: 'watch' | 'unwatch' | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Next step of a run that waits for its change request. */
export type FollowUpStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'round' }
  | { readonly kind: 'rerun'; readonly check: Check }
  | { readonly kind: 'end'; readonly end: FollowUpEnd };

/**
 * Decides what a run does that waits for its change request. Checks of an older head begin nothing, nor does what strangers or the agent
 * itself say. A conflict with the base begins one for each head. A check that is flaky is run again once for each head before anybody works on it.
 */
export function decideFollowUp(seen: SeenRequest): FollowUpStep {
  const { request, record, settings, wish, now } = seen;
  if (request.state !== 'open') return { kind: 'end', end: request.state };
  if (wish === 'unwatch') return { kind: 'end', end: 'asked' };
  // A push would take it out of the queue again.
  if (request.mergeQueued === true) return { kind: 'end', end: 'queued' };
  if (now >= Date.parse(record.deadline)) return { kind: 'end', end: 'deadline' };
  const reasons = seen.said.filter((change) => isReason(change, seen));
  const conflict = judgeConflict(seen);
  if (conflict === 'left') return { kind: 'end', end: 'conflict' };
  const flaky = findRerun(reasons, seen);
  if (flaky !== null) return { kind: 'rerun', check: flaky };
  if (reasons.length > 0 || conflict === 'new') {
    const rounds = listOverRounds(record);
    const onHead = rounds.filter(({ head }) => head === request.headSha).length;
    const areUsed = rounds.length >= settings.max_rounds || onHead >= settings.max_rounds_per_head;
    return areUsed ? { kind: 'end', end: 'rounds' } : { kind: 'round' };
  }
  // Null: the platform is still finding out, and says so soon.
  const isFree = request.conflicts !== true && request.conflicts !== null;
  return settings.until === 'green' && isFree && areGreen(seen.checks)
    ? { kind: 'end', end: 'green' }
    : { kind: 'wait' };
}

/**
 * Judges a conflict with the base: `new` begins a round, and `left` is one that a round was told of and did not resolve. Null where
 * there is none, or where a round has pushed since and the platform still shows the head before.
 */
function judgeConflict({ request, record }: Pick<SeenRequest, 'request' | 'record'>): 'new' | 'left' | null {
  if (request.conflicts !== true) return null;
  const last = listOverRounds(record).at(-1);
  if (last?.conflicts !== true || last.head !== request.headSha) return 'new';
  return last.isLeft ? 'left' : null;
}

/** Tells whether a change is worth a round. */
function isReason({ kind, comment, authority }: CommentChange, seen: SeenRequest): boolean {
  const { settings } = seen;
  const { subject, body } = comment;
  if (kind === 'deleted') return false;
  if (subject?.kind === 'check') return settings.checks && isFailureNow(subject, seen);
  if (authority !== 'trusted' || parseCommand(body) !== null) return false;
  if (asksForNothing(subject)) return false;
  return subject === null || settings.reviews;
}

/** Tells whether this check stands as failed on the head; one that runs again is waited for. */
function isFailureNow(
  { name, head, conclusion }: Pick<CheckSubject, 'name' | 'head'> & { readonly conclusion: string },
  { request, checks }: SeenRequest,
): boolean {
  if (head !== request.headSha || name === null || !isFailure(conclusion)) return false;
  const last = checks.findLast((check) => check.name === name);
  return last === undefined || isFailure(last.conclusion);
}

/** Finds a failed check that is flaky by its record or its own words, and was not run again on this head. */
function findRerun(
  reasons: readonly CommentChange[],
  { request, checks, reruns }: SeenRequest,
): Check | null {
  for (const { comment } of reasons) {
    const { subject, body } = comment;
    if (subject?.kind !== 'check' || !(subject.flaky || namesFlakiness(body))) continue;
    if (reruns.has(toRerunName(request.headSha, subject.name ?? ''))) continue;
    const check = checks.findLast(({ name }) => name === subject.name);
    if (check !== undefined) return check;
  }
  return null;
}

/** Names the rerun of a check on a head: there is one for both. */
export function toRerunName(head: string, name: string): string {
  return `${head} ${name}`;
}

const flakyWords =
  /\bflak(?:y|iness)\b|\bE(?:CONNRESET|CONNREFUSED|TIMEDOUT|AI_AGAIN|NOTFOUND)\b|\b(?:502 bad gateway|503 service unavailable|504 gateway time-?out)\b|\bTLS handshake timeout\b|\b(?:runner|agent) (?:has )?(?:lost|received a shutdown)/iu;

/** Tells whether a log or a summary says that the failure is none of the change's doing. */
function namesFlakiness(text: string): boolean {
  return flakyWords.test(text);
}

/** Tells whether every check that counts has passed in its last attempt: those that are required, or all where none is known to be. */
function areGreen(checks: readonly Check[]): boolean {
  const required = checks.filter((check) => check.required === true);
  const counting = required.length > 0 ? required : checks;
  const last = [...Map.groupBy(counting, ({ name }) => name).values()].map((all) => all.at(-1));
  return last.length > 0 && last.every((check) => isPass(check?.conclusion ?? null));
}

function isPass(conclusion: string | null): boolean {
  return conclusion === 'success' || conclusion === 'neutral' || conclusion === 'skipped';
}

function isFailure(conclusion: string | null): boolean {
  return conclusion === 'failure' || conclusion === 'timed-out' || conclusion === 'action-required';
}

/** Lists the reviewers whose last verdict requests changes. `reviews`: oldest first; a comment without a verdict changes none. */
export function listRequesting(reviews: readonly Pick<Comment, 'author' | 'subject'>[]): readonly Account[] {
  const verdicts = new Map<string, { readonly author: Account; readonly isOpen: boolean }>();
  for (const { author, subject } of reviews) {
    if (author === null || subject?.kind !== 'review' || subject.state === 'commented') continue;
    verdicts.set(author.id, { author, isOpen: subject.state === 'changes-requested' });
  }
  return [...verdicts.values()].filter(({ isOpen }) => isOpen).map(({ author }) => author);
}

/** Comments that only thank or approve: they ask for nothing. */
const thanks = [
  ...[
    'thanks',
    'thank you',
    'thanks a lot',
    'many thanks',
    'thx',
    'ty',
    'LGTM',
    'looks good',
    'looks good to me',
  ],
  ...['great', 'nice', 'perfect', 'approved', 'OK', 'okay', 'got it', 'well done', 'good job'],
  ...[
    'ありがとう',
    'ありがとうございます',
    'ありがとうございました',
    '感謝します',
    '了解',
    '了解です',
    '了解しました',
  ],
  ...['承認', '承認します', '問題ありません', '完璧です', 'お疲れ様です', 'お疲れ様でした'],
];

/** Ways in which the agent is addressed. */
export interface Addressing {
  readonly onComment: FollowUpSettings['on_comment'];
  /** Login of the agent's own account. */
  readonly login: string;
}

/**
 * Tells whether a clean comment after the end of a run asks for something. No command, no bare thanks, no emoji or quote alone, and
 * nothing that begins with a mention of another account does. No model decides.
 */
export function asksForMore({ body }: Pick<Comment, 'body'>, { onComment, login }: Addressing): boolean {
  if (onComment === 'never' || parseCommand(body) !== null) return false;
  const own = body
    .split(/\r\n|\r|\n/)
    .filter((line) => !/^\s*>/.test(line))
    .join('\n')
    .trim();
  // Letters or digits: without one it is an emoji or a sign.
  const words = own
    .replaceAll(/:[\w+-]{1,40}:|\p{Extended_Pictographic}/gu, ' ')
    .replaceAll(/@[\w.[\]-]{1,100}/gu, (name) => (isMentioned(name, login) ? ' ' : name));
  if (!/[\p{L}\p{N}]/u.test(words) || findApprovalPhrase(words, thanks) !== null) return false;
  const names = isMentioned(own, login);
  if (onComment === 'mention') return names;
  const first = /^@([\w.[\]-]+)/u.exec(own)?.[1];
  return first === undefined || isMentioned(`@${first}`, login);
}
