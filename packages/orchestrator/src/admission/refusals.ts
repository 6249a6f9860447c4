import type { PlatformThread, Thread } from '@agent/platforms';
import { type Locale, localeOf } from '@agent/text';
import { type RunTexts, runTexts } from '../report/texts.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { TaskThread, TaskTrigger } from '../triggers/task-trigger.ts';

/** Reason why a thread is not worked on. */
export type Refusal = keyof RunTexts['refusals'];

/** Finds out why there must not be a run on this thread; null where there may. Asks about the repository only where it matters. */
export async function findRefusal(
  thread: Thread,
  {
    ports,
    confidentialIssues,
    signal,
  }: {
    readonly ports: Pick<PlatformThread, 'repository'>;
    readonly confidentialIssues: ConfiguredPlatform['confidentialIssues'];
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Refusal | null> {
  if (thread.changeRequest?.fromFork === true) return 'fork';
  if (!thread.confidential || confidentialIssues === 'allow' || ports.repository === null) return null;
  const { private: isPrivate } = await ports.repository.describe({ signal });
  return isPrivate ? null : 'confidential';
}

/**
 * Sends a thread back to people before there is a run: one comment that says why, then the label of what failed, so that
 * it is not begun again until somebody labels it anew. Repeating it is safe.
 */
export async function refuseThread(
  refusal: Refusal,
  {
    thread,
    ports,
    trigger,
    locale: setting,
    signal,
  }: {
    readonly thread: Thread;
    readonly ports: Pick<PlatformThread, 'writer'> & TaskThread;
    readonly trigger: TaskTrigger;
    readonly locale: 'auto' | Locale;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const locale = localeOf(thread, { setting });
  const text = runTexts[locale];
  const reason = `${text.reason} ${text.refusals[refusal]}`;
  const body = [text.headings.failed, reason, trigger.texts[locale].retry].join('\n\n');
  await ports.writer.ensureComment({ topic: 'run:refused:final', body, mayExist: true, signal });
  await trigger.setState(ports, { state: 'failed', thread, signal });
}
