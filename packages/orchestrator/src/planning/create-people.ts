import {
  type ApprovalReading,
  formatApprovalQuestion,
  formatQuestion,
  type PeopleQuestion,
  type PlanningPeople,
} from '@agent/runner/planning';
import { formatTime } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import { parseCommand } from '../inbox/commands.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import {
  createApprovals,
  findApprovalPhrase,
  type GivenApproval,
  listApproving,
  takeApprovingReaction,
} from '../plan/approvals.ts';
import type { Run } from '../run/run.ts';
import { createTrust, type IsTrusted } from '../thread/trust.ts';

export interface PeopleOptions {
  readonly runInbox: Pick<RunInbox, 'guard' | 'rejections'>;
  /** Comments that approve a plan, if one is all that a comment says. */
  readonly approvalPhrases: readonly string[];
  /** Zone of all times on threads: an IANA name. */
  readonly timeZone: string;
  readonly redactOutgoing: Redact;
  readonly now: () => number;
}

/**
 * Creates the people of a run's thread, as its plan needs them: a question is one comment of ours, an approval holds while who gave
 * it may steer and their words, or their reaction, stand there.
 */
export function createPeople(run: Run, options: PeopleOptions): PlanningPeople {
  const { runInbox, approvalPhrases, now } = options;
  const { thread, state, facts, uuid } = run;
  const { reader, permissions, reactions } = thread.ports;
  const approvals = createApprovals(state);
  let trusts: IsTrusted | null = null;
  const isTrusted: IsTrusted = async (account, question = {}) => {
    const { platform, trust: policy } = thread.platform;
    const ownAccount = await platform.identity.whoAmI({ signal: question.signal });
    trusts ??= createTrust({ policy, permissions, ownAccount, now });
    return trusts(account, question);
  };
  const stands = async (
    { by, commentId }: GivenApproval,
    { shownId, signal }: { readonly shownId: string; readonly signal: AbortSignal | undefined },
  ): Promise<boolean> => {
    if (commentId === shownId) {
      const given = await listApproving({ reactions, commentId, signal });
      return given.some((one) => one.by?.id === by.id);
    }
    if (reader.getComment === undefined) return true;
    const comment = await reader.getComment(commentId, { signal });
    const body = comment === null ? '' : await runInbox.guard.clean(comment.body);
    return parseCommand(body) === 'approve' || findApprovalPhrase(body, approvalPhrases) !== null;
  };
  return {
    ask: async (question, { signal }) => {
      const body = formatPeopleQuestion(question, { ...options, locale: facts.locale });
      const { id } = await thread.writer.require({ topic: `run:${uuid}:${question.id}`, body, signal });
      if (question.kind !== 'approval') return;
      // By the platform's clock, as the answers to it are.
      const comment = await reader.getComment?.(id, { signal });
      const shownAt =
        comment?.updatedAt ?? comment?.createdAt ?? (await reader.readThread({ signal })).updatedAt;
      await approvals.show({ questionId: question.id, planHash: question.planHash, commentId: id, shownAt });
    },
    readApproval: async (planHash, { signal }): Promise<ApprovalReading> => {
      await takeApprovingReaction({ approvals, reactions }, { isTrusted, signal });
      const shown = await approvals.read();
      if (shown === null || shown.planHash !== planHash || shown.given === null) return { state: 'none' };
      const { by, words } = shown.given;
      const isRevoked = !(await isTrusted(by, { fresh: true, signal }));
      if (!isRevoked && (await stands(shown.given, { shownId: shown.commentId, signal })))
        return { state: 'given', by: by.login, words };
      // Whoever listens to the paused run must not take it for an answer again.
      await approvals.drop();
      return { state: 'revoked', by: by.login, reason: isRevoked ? 'permission_revoked' : 'withdrawn' };
    },
    rejectedAssumptions: () => runInbox.rejections.list(),
  };
}

function formatPeopleQuestion(
  question: PeopleQuestion,
  { timeZone, ...writing }: Pick<PeopleOptions, 'timeZone' | 'redactOutgoing'> & Pick<Run['facts'], 'locale'>,
): string {
  if (question.kind === 'approval') return formatApprovalQuestion(question, writing);
  const until = question.until === null ? null : formatTime(new Date(question.until), timeZone);
  return formatQuestion(question, { ...writing, until });
}
