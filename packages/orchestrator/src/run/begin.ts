import { randomUUID } from 'node:crypto';
import { formatTaskKey, type TaskSummary, type Thread, toTaskKeyJson } from '@agent/platforms';
import { localeOf } from '@agent/text';
import { createTrust } from '../inbox/create-trust.ts';
import { beginInheritance } from '../past/begin-inheritance.ts';
import { toLineageJson } from '../past/run-lineage.ts';
import { activateRun } from './activate-run.ts';
import { checkHandover } from './check-handover.ts';
import { collectFacts } from './collect-facts.ts';
import { refuseHandover } from './refuse-handover.ts';
import { findRefusal, refuseThread } from './refuse-thread.ts';
import type { ActiveRun, ConfiguredPlatform, RunParts } from './run.ts';
import { toFactsJson } from './run-facts.ts';
import { type OpenedThread, openRunThread } from './run-thread.ts';
import type { Snapshot, ThreadSnapshot } from './snapshot.ts';

export interface BegunRun {
  readonly run: ActiveRun;
  readonly snapshot: Snapshot;
}

/** A thread to begin a run on. */
export interface FoundTask {
  readonly summary: Pick<TaskSummary, 'key'>;
  readonly platform: ConfiguredPlatform;
  /** The run of this thread that failed and is to be gone on from; its label need not wait. Default none. */
  readonly retryOf?: string | undefined;
}

/**
 * Begins a run: one snapshot of the thread, who gave it to us, then `metadata.json`; nothing on the platform has changed
 * yet. Null when the thread is no task any more, because the listing that named it was older than the thread is now, and
 * when it must not be worked on or nobody who may gave it to us: then it is given back to people.
 */
export async function beginRun(parts: RunParts, found: FoundTask): Promise<BegunRun | null> {
  const { platform, summary } = found;
  const opened = openRunThread(platform, summary.key);
  try {
    const thread = await readWaiting(parts, { ...found, opened });
    if (thread === null) return null;
    const listing = await opened.comments.listComments({ since: null, fresh: true, signal: parts.shutdown });
    const begun = await openRun(parts, { ...found, opened, snapshot: { thread, listing } });
    if (begun === null) opened.comments.close();
    return begun;
  } catch (error) {
    opened.comments.close();
    throw error;
  }
}

/** Null when the thread does not wait for a run, or must not have one; then it was told so. */
async function readWaiting(
  { config, logger, shutdown: signal }: RunParts,
  { opened: { ports }, platform, retryOf }: FoundTask & { readonly opened: OpenedThread },
): Promise<Thread | null> {
  const { trigger, confidentialIssues } = platform;
  const thread = await ports.reader.readThread({ signal });
  if (thread.state !== 'open') return null;
  if (retryOf === undefined && (await trigger.claim({ ports, thread }, { signal })) === 'theirs') return null;
  const refusal = await findRefusal(thread, { ports, confidentialIssues, signal });
  if (refusal === null) return thread;
  logger.warn({ url: thread.url, reason: refusal.en }, 'a thread is not worked on');
  await refuseThread(refusal, { thread, ports, trigger, locale: config.locale, signal });
  return null;
}

async function openRun(
  parts: RunParts,
  begun: FoundTask & {
    readonly opened: OpenedThread;
    readonly snapshot: ThreadSnapshot;
  },
  newUuid: () => string = randomUUID,
): Promise<BegunRun | null> {
  const { platform, summary, opened, snapshot } = begun;
  const { thread } = snapshot;
  const { ports } = opened;
  const signal = parts.shutdown;
  const ownAccount = await platform.platform.identity.whoAmI({ signal });
  const { locale } = parts.config;
  const { permissions } = ports;
  const isTrusted = createTrust({ policy: platform.trust, permissions, ownAccount, now: parts.now });
  const named = { taskKeyText: formatTaskKey(summary.key), host: platform.platform.host };
  const restored = await parts.handovers.read(named);
  const { trigger } = platform;
  const lastGiven = (since: string | null) => trigger.signs.lastGiven(ports, { since, signal });
  const checked = await checkHandover({ lastGiven, thread, ownAccount, isTrusted, restored, signal });
  if (checked.status === 'refused') {
    const { refusal } = checked;
    parts.logger.warn({ ...refusal, url: thread.url }, 'nobody who may gave this thread to the agent');
    const spoken = localeOf(thread, { setting: locale });
    await refuseHandover({
      ports,
      trigger,
      refusal,
      policy: platform.trust,
      locale: spoken,
      now: parts.now,
      signal,
    });
    await parts.handovers.forget(named);
    return null;
  }
  const handover = checked.status === 'given' ? checked.handover : null;
  const facts = await collectFacts({ thread, ports }, { locale, ownAccount, handover, signal });
  const beginning = await beginInheritance(parts, {
    thread: named,
    snapshot,
    isTrusted,
    ownAccount,
    isNamed: (parts.config.comment_detection.bot_username ?? platform.botName) !== null,
    locale: facts.locale,
  });
  const { inherited } = beginning;
  const lineage = { ...beginning.lineage, retryOf: begun.retryOf ?? null };
  const open = await parts.store.open({
    uuid: newUuid(),
    taskKey: toTaskKeyJson(summary.key),
    ...named,
    user: thread.author?.login ?? null,
    config: {
      llm_provider: parts.model.description.provider,
      model: parts.model.description.model,
      context_length: parts.model.description.contextLength,
    },
    extra: { ...toFactsJson(facts), ...toLineageJson(lineage) },
    inheritedFromUuid: lineage.fromUuid,
    inheritanceDepth: lineage.depth,
  });
  await parts.handovers.forget(named);
  const run = activateRun(parts, { open, platform, thread: opened });
  run.logger.info(
    { title: facts.title, url: facts.url, branch: facts.repository?.branch ?? null },
    'task begun',
  );
  if (inherited !== null)
    parts.observe({ type: 'inheritance', depth: lineage.depth, tokens: lineage.tokens });
  run.acknowledgements.give('done', beginning.obeyed);
  run.acknowledgements.give('refused', beginning.refused);
  return { run, snapshot: { ...snapshot, inherited } };
}
