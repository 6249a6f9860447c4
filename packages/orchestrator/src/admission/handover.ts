import {
  type Account,
  isSameAccount,
  type PlatformThread,
  type Thread,
  type ThreadEdit,
} from '@agent/platforms';
import type { Locale } from '@agent/text';
import { runTexts } from '../report/texts.ts';
import type { Handover, RunFacts } from '../run/run-facts.ts';
import type { RunThread } from '../run/run-thread.ts';
import { createTrust, type IsTrusted, type TrustPolicy } from '../thread/trust.ts';
import type { RestoredLabel } from '../triggers/handover-records.ts';
import type { HandoverEvent, TaskThread, TaskTrigger } from '../triggers/task-trigger.ts';

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
  /** Lists who gave the thread to the agent, the last first, with what has changed since, or since an earlier time (ISO 8601). */
  readonly listHandovers: (since: string | null) => Promise<readonly HandoverEvent[] | 'unknown'>;
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
  const { listHandovers, thread, restored } = question;
  const events = await listHandovers(restored?.since ?? null);
  if (events === 'unknown') return { status: 'unknown' };
  const given = await findTrusted(events, question);
  if (given === null) {
    const [last] = events;
    const refusal = { reason: 'giver', actor: last?.actor ?? null, at: last?.at ?? null } as const;
    return { status: 'refused', refusal };
  }
  const { event, giver } = given;
  const edit = await findStrangersEdit(event.editsSince, { ...question, since: giver.at });
  if (edit !== null) return { status: 'refused', refusal: { reason: 'edit', ...edit, at: event.at } };
  return { status: 'given', handover: { ...giver, head: thread.changeRequest?.headSha ?? null } };
}

/** Finds the last who gave the thread and may; a stranger who tries after them changes nothing. */
async function findTrusted(events: readonly HandoverEvent[], question: HandoverQuestion) {
  for (const event of events) {
    const giver = findGiver(event, question);
    if (giver !== null && (await question.isTrusted(giver.by, { fresh: true, signal: question.signal })))
      return { event, giver };
  }
  return null;
}

/**
 * Finds the giver. What we gave ourselves has the authority of what caused it. Without a cause it has ours: none with an
 * account of our own (see `createTrust`), that person's with a person's token.
 */
function findGiver(
  { actor, at, commentId }: HandoverEvent,
  { ownAccount, restored }: Pick<HandoverQuestion, 'ownAccount' | 'restored'>,
): Pick<Handover, 'by' | 'at' | 'commentId'> | null {
  if (actor === null) return null;
  if (restored !== null && isSameAccount(actor, ownAccount))
    return { by: restored.by, at: restored.since, commentId: restored.commentId };
  return { by: actor, at, commentId };
}

/**
 * The first change by somebody who may not steer, or by nobody knows whom; null where there is none. Each account is asked
 * about once; ours changes nothing that was not asked for.
 */
async function findStrangersEdit(
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

/** A run, as far as its handover goes. */
export interface HandedOverRun {
  readonly facts: Pick<RunFacts, 'handover' | 'locale'>;
  readonly thread: Pick<RunThread, 'platform' | 'ports'>;
}

/**
 * Makes sure that a thread which is read again still is what was handed over: a run that had begun, and whose process died
 * before its first line, must not work on what strangers wrote meanwhile.
 *
 * @throws Error that says who changed what; PlatformError when it cannot be asked now
 */
export async function requireAsGiven(
  { facts, thread: { platform, ports } }: HandedOverRun,
  { now, signal }: { readonly now: () => number; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const { handover, locale } = facts;
  if (handover === null) return;
  const { trust: policy, trigger } = platform;
  const since = handover.at;
  const events = await trigger.signs.listHandovers(ports, { since, signal });
  if (events === 'unknown') return;
  const ownAccount = await platform.platform.identity.whoAmI({ signal });
  const isTrusted = createTrust({ policy, permissions: ports.permissions, ownAccount, now });
  const refuse = (refusal: RefusedHandover['refusal']) =>
    new Error(formatRefusal({ trigger, refusal, policy, locale }));
  // Newer events may have pushed it out of what the platform lists, and with it the first changes.
  const [event] = events;
  if (event === undefined) throw refuse({ reason: 'giver', actor: null, at: null });
  const edit = await findStrangersEdit(event.editsSince, { ownAccount, isTrusted, since, signal });
  if (edit !== null) throw refuse({ reason: 'edit', ...edit, at: since });
}

export interface RefusedHandover {
  readonly ports: Pick<PlatformThread, 'writer'> & TaskThread;
  readonly trigger: Pick<TaskTrigger, 'release' | 'tellsStrangers' | 'texts'>;
  readonly refusal: HandoverRefusal;
  readonly policy: Pick<TrustPolicy, 'collaborators'>;
  readonly locale: Locale;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives a thread back to people: one comment for each time that it was given and each reason, which says why and who may,
 * and then it is released. Repeating it is safe. Where nobody can say when it was given, there is one each day. Where anybody
 * can try to give work, a stranger gets no answer.
 */
export async function refuseHandover(refused: RefusedHandover): Promise<void> {
  const { ports, trigger, refusal, now, signal } = refused;
  const at = refusal.at ?? new Date(now()).toISOString().slice(0, 10);
  const topic = `handover:${at}:${refusal.reason === 'edit' ? refusal.part : 'label'}`;
  if (refusal.reason === 'edit' || trigger.tellsStrangers)
    await ports.writer.ensureComment({ topic, body: formatRefusal(refused), mayExist: true, signal });
  await trigger.release(ports, { signal });
}

/** Formats what people read about it, in the language of the thread. */
export function formatRefusal({
  trigger,
  refusal,
  policy,
  locale,
}: Pick<RefusedHandover, 'refusal' | 'policy' | 'locale'> & {
  readonly trigger: Pick<TaskTrigger, 'texts'>;
}): string {
  const text = trigger.texts[locale];
  const why = refusal.reason === 'giver' ? text.notGiven(refusal.actor) : text.changed(refusal);
  return `${why}\n\n${text.giveAgain(runTexts[locale].whoMay(policy.collaborators))}`;
}
