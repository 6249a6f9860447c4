import type { PlatformThread } from '@agent/platforms';
import type { Locale } from '@agent/text';
import type { TrustPolicy } from '../inbox/create-trust.ts';
import type { TaskThread, TaskTrigger } from '../triggers/task-trigger.ts';
import type { HandoverRefusal } from './check-handover.ts';

export interface RefusedHandover {
  readonly ports: Pick<PlatformThread, 'writer'> & TaskThread;
  readonly trigger: Pick<TaskTrigger, 'release' | 'texts'>;
  readonly refusal: HandoverRefusal;
  readonly policy: Pick<TrustPolicy, 'collaborators'>;
  readonly locale: Locale;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives a thread back to people: one comment for each time that it was given and each reason, which says why and who may,
 * and then it is released. Repeating it is safe. Where nobody can say when it was given, there is one each day.
 */
export async function refuseHandover(refused: RefusedHandover): Promise<void> {
  const { ports, trigger, refusal, now, signal } = refused;
  const at = refusal.at ?? new Date(now()).toISOString().slice(0, 10);
  const topic = `handover:${at}:${refusal.reason === 'edit' ? refusal.part : 'label'}`;
  await ports.writer.ensureComment({ topic, body: formatRefusal(refused), signal });
  await trigger.release(ports, { signal });
}

/** What people read about it, in the language of the thread. */
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
  return `${why}\n\n${text.giveAgain(whoMay[locale](policy.collaborators))}`;
}

const whoMay: Readonly<Record<Locale, (collaborators: boolean) => string>> = {
  en: (collaborators) =>
    collaborators
      ? 'people with write permission in this repository'
      : 'people who are named in my configuration (`trust`)',
  ja: (collaborators) =>
    collaborators ? 'このリポジトリに書き込み権限のある人' : '設定 (`trust`) に名前のある人',
};
