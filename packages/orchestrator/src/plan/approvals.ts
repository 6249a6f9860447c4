import type { SourceComment } from '@agent/comment-detection';
import { compareComments } from '@agent/comment-detection';
import { type Account, PlatformError, type ReactionWriter } from '@agent/platforms';
import type { RunState } from '@agent/run-store';
import { z } from 'zod';
import { type IsTrusted, toAccount } from '../thread/trust.ts';

/** A plan that people were asked to approve. */
export interface ShownPlan {
  /** Names the question: the same plan may be shown again, and then the earlier answer holds no more. */
  readonly questionId: string;
  readonly planHash: string;
  /** The comment that shows it. */
  readonly commentId: string;
  /** When that stood on the thread (ISO 8601, by the platform's clock). */
  readonly shownAt: string;
}

/** An approval that a user gave by a comment, or by a reaction to the question. */
export interface GivenApproval {
  readonly by: Account;
  /** The comment that approves; for a reaction the question itself. */
  readonly commentId: string;
  /** When the words were written or the reaction was given (ISO 8601, by the platform's clock). */
  readonly at: string;
  /** Listed phrase or emoji that approved; null for the command. */
  readonly words: string | null;
}

/** The plan of a run that was shown last, and who approved it: a value of its state, and so a line of its record. */
export interface Approvals {
  /** Keeps that this plan was shown; an answer to an earlier question holds no more. */
  readonly show: (plan: ShownPlan) => Promise<void>;
  /** Keeps an approval of what is shown; of several the latest holds. False where nothing waits for one, or what it answers was not shown yet. */
  readonly record: (given: GivenApproval) => Promise<boolean>;
  /** Forgets the approval of what is shown: it does not hold any more. */
  readonly drop: () => Promise<void>;
  /** Reads what was shown last, and its approval; null where nothing was. */
  readonly read: () => Promise<(ShownPlan & { readonly given: GivenApproval | null }) | null>;
}

const stateName = 'approval.json';

const schema = z.object({
  question_id: z.string(),
  plan_hash: z.string(),
  comment_id: z.string(),
  shown_at: z.string(),
  given: z
    .object({
      by: z.object({ id: z.string(), login: z.string(), kind: z.enum(['person', 'bot']) }),
      comment_id: z.string(),
      at: z.string(),
      words: z.string().nullable(),
    })
    .nullable(),
});

/** Opens the approvals of a run, also of one that is paused: who listens to it and who works on it read the same. */
export function createApprovals(state: Pick<RunState, 'read' | 'write'>): Approvals {
  const read: Approvals['read'] = async () => {
    const value = await state.read(stateName);
    if (value === null) return null;
    const { given, ...shown } = schema.parse(value);
    return {
      planHash: shown.plan_hash,
      questionId: shown.question_id,
      commentId: shown.comment_id,
      shownAt: shown.shown_at,
      given: given && { by: given.by, commentId: given.comment_id, at: given.at, words: given.words },
    };
  };
  const write = ({ planHash, questionId, commentId, shownAt }: ShownPlan, given: GivenApproval | null) =>
    state.write(stateName, {
      plan_hash: planHash,
      question_id: questionId,
      comment_id: commentId,
      shown_at: shownAt,
      given: given && {
        by: { id: given.by.id, login: given.by.login, kind: given.by.kind },
        comment_id: given.commentId,
        at: given.at,
        words: given.words,
      },
    });
  return {
    read,
    drop: async () => {
      const shown = await read();
      if (shown !== null) await write(shown, null);
    },
    show: async (plan) => {
      const shown = await read();
      if (shown?.questionId !== plan.questionId) await write(plan, null);
    },
    record: async (given) => {
      const shown = await read();
      if (shown === null || !isAnswer(given, shown)) return false;
      await write(shown, given);
      return true;
    },
  };
}

/**
 * Tells whether an approval was given after the plan was shown. Forges give times in whole seconds: within one the ids of the
 * comments say which came first, so that neither an answer at once is missed nor an earlier one taken for it.
 */
function isAnswer({ at, commentId }: GivenApproval, shown: ShownPlan): boolean {
  // A reaction to the question; an edited question asks for another plan.
  if (commentId === shown.commentId) return Date.parse(at) >= Date.parse(shown.shownAt);
  const given = { createdAt: at, id: commentId };
  return compareComments(given, { createdAt: shown.shownAt, id: shown.commentId }) > 0;
}

/** Records that the author of a comment approves; an approval that an edit brings is as old as the edit. False where nothing waits for it. */
export async function approveBy(
  { id, author, createdAt, updatedAt }: Pick<SourceComment, 'id' | 'author' | 'createdAt' | 'updatedAt'>,
  {
    approvals,
    words,
  }: { readonly approvals?: Pick<Approvals, 'record'> | undefined } & Pick<GivenApproval, 'words'>,
): Promise<boolean> {
  const by = toAccount(author);
  if (by === null || approvals === undefined) return false;
  return approvals.record({ by, commentId: id, at: updatedAt ?? createdAt, words });
}

/**
 * Finds the listed phrase that a comment consists of, as the list has it; null for every other comment. Case, width, punctuation and
 * white space are ignored. A question, a mention, a quote, code and a command with a slash approve nothing.
 */
export function findApprovalPhrase(body: string, phrases: readonly string[]): string | null {
  const said = body.slice(0, 1_000).normalize('NFKC');
  if (body.length > 1_000 || /[?؟@/]|^[ \t]{0,9}(?:[-*+]|\d{1,9}[.)])\s/mu.test(said)) return null;
  const words = toWords(said);
  return phrases.find((phrase) => toWords(phrase.normalize('NFKC')) === words) ?? null;
}

const toWords = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\p{P}\s]+/gu, ' ')
    .trim();

/** Emoji of the meaning `done`, as people are shown it. */
const approvingEmoji = '👍';

/** Records the first 👍 of a trusted user on the open question; does nothing if the platform does not list reactions. */
export async function takeApprovingReaction(
  { approvals, reactions }: ReactionSource,
  { isTrusted, signal }: { readonly isTrusted: IsTrusted; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const shown = await approvals.read();
  if (shown === null || shown.given !== null) return;
  for (const { by, at } of await listApproving({ reactions, commentId: shown.commentId, signal })) {
    // Asked from memory first: untrusted users cost no request each time.
    if (by === null || !(await isTrusted(by, { signal })) || !(await isTrusted(by, { fresh: true, signal })))
      continue;
    await approvals.record({ by, commentId: shown.commentId, at, words: approvingEmoji });
    return;
  }
}

export interface ReactionSource {
  readonly approvals: Pick<Approvals, 'read' | 'record'>;
  /** Null where the platform has no reactions. */
  readonly reactions: ReactionWriter | null;
}

/** Lists the 👍 on a question; none where it was deleted, or where reactions cannot be listed. */
export async function listApproving({
  reactions,
  commentId,
  signal,
}: Pick<ReactionSource, 'reactions'> & {
  readonly commentId: string;
  readonly signal?: AbortSignal | undefined;
}): ReturnType<NonNullable<ReactionWriter['listReactions']>> {
  try {
    return (await reactions?.listReactions?.({ commentId, meaning: 'done', signal })) ?? [];
  } catch (error) {
    if (PlatformError.isInstance(error) && error.code === 'not-found') return [];
    throw error;
  }
}
