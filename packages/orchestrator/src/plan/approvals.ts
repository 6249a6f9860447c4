import { compareComments } from '@agent/comment-detection';
import type { Account } from '@agent/platforms';
import type { RunState } from '@agent/run-store';
import { z } from 'zod';

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

/** An approval that somebody gave by a comment. */
export interface GivenApproval {
  readonly by: Account;
  readonly commentId: string;
  /** When the words were written (ISO 8601, by the platform's clock). */
  readonly at: string;
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
  version: z.literal(1),
  question_id: z.string(),
  plan_hash: z.string(),
  /** An earlier version wrote none, and went by the time alone. */
  comment_id: z.string().default('0'),
  shown_at: z.string(),
  given: z
    .object({
      by: z.object({ id: z.string(), login: z.string(), kind: z.enum(['person', 'bot']) }),
      comment_id: z.string(),
      at: z.string(),
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
      given: given && { by: given.by, commentId: given.comment_id, at: given.at },
    };
  };
  const write = ({ planHash, questionId, commentId, shownAt }: ShownPlan, given: GivenApproval | null) =>
    state.write(stateName, {
      version: 1,
      plan_hash: planHash,
      question_id: questionId,
      comment_id: commentId,
      shown_at: shownAt,
      given: given && {
        by: { id: given.by.id, login: given.by.login, kind: given.by.kind },
        comment_id: given.commentId,
        at: given.at,
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
  const given = { createdAt: at, id: commentId };
  return compareComments(given, { createdAt: shown.shownAt, id: shown.commentId }) > 0;
}
