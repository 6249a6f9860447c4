import { type Account, isSameAccount, type Thread, type ThreadEdit } from '@agent/platforms';
import type { IsTrusted } from '../inbox/create-trust.ts';
import type { HandoverEvent } from '../triggers/task-trigger.ts';
import type { RestoredLabel } from './handover-records.ts';

/** Act of giving a thread to the agent: by whom, when and as it was. */
export interface Handover {
  /** Account whose authority it rests on. */
  readonly by: Account;
  /** ISO 8601, by the platform's clock: what strangers changed later is not what was handed over. */
  readonly at: string;
  /** The commit that the change request proposes; null where the thread is none. */
  readonly head: string | null;
  /** The comment that gave it, or for which the agent gave it back to itself; null where there is none. */
  readonly commentId: string | null;
}

/** Why a run does not begin. */
export type HandoverRefusal =
  /** Null: nobody knows who gave it. */
  | { readonly reason: 'giver'; readonly actor: Account | null; readonly at: string | null }
  | {
      readonly reason: 'edit';
      readonly part: ThreadEdit['part'];
      readonly actor: Account | null;
      readonly at: string;
    };

/** `unknown` on a platform that does not say who gives threads to the agent. */
export type HandoverCheck =
  | { readonly status: 'given'; readonly handover: Handover }
  | { readonly status: 'refused'; readonly refusal: HandoverRefusal }
  | { readonly status: 'unknown' };

export interface HandoverQuestion {
  /** The last time that the thread was given to the agent, with what has changed since, or since an earlier time (ISO 8601). */
  readonly lastGiven: (since: string | null) => Promise<HandoverEvent | null | 'unknown'>;
  /** As it was read before this is asked. */
  readonly thread: Pick<Thread, 'changeRequest'>;
  readonly ownAccount: Account;
  readonly isTrusted: IsTrusted;
  /** Why the agent made the thread wait itself; null where it did not. */
  readonly restored: RestoredLabel | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out whether somebody who may steer gave this thread to the agent, and whether it still is what was given: title,
 * text and head were not changed since by anybody who may not, nor by nobody knows whom.
 *
 * @throws PlatformError when it cannot be asked now
 */
export async function checkHandover(question: HandoverQuestion): Promise<HandoverCheck> {
  const { lastGiven, thread, restored, signal } = question;
  const event = await lastGiven(restored?.since ?? null);
  if (event === 'unknown') return { status: 'unknown' };
  const giver = event === null ? null : findGiver(event, question);
  if (event === null || giver === null || !(await question.isTrusted(giver.by, { fresh: true, signal }))) {
    const refusal = { reason: 'giver', actor: event?.actor ?? null, at: event?.at ?? null } as const;
    return { status: 'refused', refusal };
  }
  const edit = await findStrangersEdit(event.editsSince, { ...question, since: giver.at });
  if (edit !== null) return { status: 'refused', refusal: { reason: 'edit', ...edit, at: event.at } };
  return { status: 'given', handover: { ...giver, head: thread.changeRequest?.headSha ?? null } };
}

/** Finds the giver. What we gave ourselves has the authority of what caused it; with a person's token it may be that person's own. */
function findGiver(
  { actor, at, commentId }: HandoverEvent,
  { ownAccount, restored }: Pick<HandoverQuestion, 'ownAccount' | 'restored'>,
): Pick<Handover, 'by' | 'at' | 'commentId'> | null {
  if (actor === null) return null;
  if (!isSameAccount(actor, ownAccount)) return { by: actor, at, commentId };
  if (restored !== null) return { by: restored.by, at: restored.since, commentId: restored.commentId };
  return ownAccount.kind === 'person' ? { by: actor, at, commentId } : null;
}

/**
 * The first change by somebody who may not steer, or by nobody knows whom; null where there is none. Each account is asked
 * about once; ours changes nothing that was not asked for.
 */
export async function findStrangersEdit(
  edits: readonly ThreadEdit[],
  {
    ownAccount,
    isTrusted,
    since,
    signal,
  }: Pick<HandoverQuestion, 'ownAccount' | 'isTrusted' | 'signal'> & { readonly since: string },
): Promise<Pick<ThreadEdit, 'part' | 'actor'> | null> {
  const judged = new Map<string, boolean>();
  for (const { part, actor, at } of edits) {
    if (Date.parse(at) < Date.parse(since) || isSameAccount(actor, ownAccount)) continue;
    if (actor === null) return { part, actor };
    const may = judged.get(actor.id) ?? (await isTrusted(actor, { fresh: true, signal }));
    judged.set(actor.id, may);
    if (!may) return { part, actor };
  }
  return null;
}
