import { createTrust } from '../inbox/create-trust.ts';
import { findStrangersEdit } from './check-handover.ts';
import { formatRefusal, type RefusedHandover } from './refuse-handover.ts';
import type { Run, RunThread } from './run.ts';

/** A run, as far as its handover goes. */
export interface HandedOverRun {
  readonly facts: Pick<Run['facts'], 'handover' | 'locale'>;
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
  const event = await trigger.signs.lastGiven(ports, { since, signal });
  if (event === 'unknown') return;
  const ownAccount = await platform.platform.identity.whoAmI({ signal });
  const isTrusted = createTrust({ policy, permissions: ports.permissions, ownAccount, now });
  const refuse = (refusal: RefusedHandover['refusal']) =>
    new Error(formatRefusal({ trigger, refusal, policy, locale }));
  // Newer events may have pushed it out of what the platform lists, and with it the first changes.
  if (event === null) throw refuse({ reason: 'giver', actor: null, at: null });
  const edit = await findStrangersEdit(event.editsSince, { ownAccount, isTrusted, since, signal });
  if (edit !== null) throw refuse({ reason: 'edit', ...edit, at: since });
}
