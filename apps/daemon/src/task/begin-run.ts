import { randomUUID } from 'node:crypto';
import {
  type CommentListing,
  formatTaskKey,
  type TaskSummary,
  type Thread,
  toTaskKeyJson,
} from '@agent/platforms';
import { activateRun } from './activate-run.ts';
import { collectFacts } from './collect-facts.ts';
import { type OpenedThread, openRunThread } from './open-run-thread.ts';
import { toFactsJson } from './run-facts.ts';
import type { ActiveRun, ConfiguredPlatform, RunParts } from './run-parts.ts';

/** One look at a thread: what the first prompt and everything later starts from. */
export interface Snapshot {
  readonly thread: Thread;
  readonly listing: CommentListing;
}

export interface BegunRun {
  readonly run: ActiveRun;
  readonly snapshot: Snapshot;
}

/**
 * Begins a run: one snapshot of the thread, then `metadata.json`; nothing on the platform has changed yet. Null
 * when the thread is no task any more, because the listing that named it was older than the thread is now.
 */
export async function beginRun(
  parts: RunParts,
  found: { readonly summary: TaskSummary; readonly platform: ConfiguredPlatform },
): Promise<BegunRun | null> {
  const { platform, summary } = found;
  const opened = openRunThread(platform, summary.key);
  try {
    const snapshot = await takeSnapshot(opened, { platform, signal: parts.shutdown });
    return snapshot && { run: await openRun(parts, { ...found, opened, snapshot }), snapshot };
  } catch (error) {
    opened.comments.close();
    throw error;
  }
}

/** Null when the thread does not wait for a run. */
async function takeSnapshot(
  { ports, comments }: OpenedThread,
  { platform, signal }: { readonly platform: ConfiguredPlatform; readonly signal: AbortSignal },
): Promise<Snapshot | null> {
  const thread = await ports.reader.readThread({ signal });
  if (!isWaiting(thread, ports.labels === null ? null : platform.labels.waiting)) return null;
  return { thread, listing: await comments.listComments({ since: null, fresh: true, signal }) };
}

async function openRun(
  parts: RunParts,
  begun: {
    readonly summary: TaskSummary;
    readonly platform: ConfiguredPlatform;
    readonly opened: OpenedThread;
    readonly snapshot: Snapshot;
  },
): Promise<ActiveRun> {
  const { platform, summary, opened } = begun;
  const { thread } = begun.snapshot;
  const { ports } = opened;
  const signal = parts.shutdown;
  const ownAccount = await platform.platform.identity.whoAmI({ signal });
  const { locale } = parts.config;
  const facts = await collectFacts({ thread, ports }, { locale, ownAccount, signal });
  const uuid = randomUUID();
  const open = await parts.store.open({
    uuid,
    taskKey: toTaskKeyJson(summary.key),
    taskKeyText: formatTaskKey(summary.key),
    host: platform.platform.host,
    user: thread.author?.login ?? null,
    config: {
      llm_provider: parts.model.description.provider,
      model: parts.model.description.model,
      context_length: parts.model.description.contextLength,
    },
    extra: toFactsJson(facts),
  });
  const run = activateRun(parts, { open, platform, thread: opened });
  run.logger.info(
    { title: facts.title, url: facts.url, branch: facts.repository?.branch ?? null },
    'task begun',
  );
  return run;
}

/** Where we cannot change labels, they do not say whether a thread waits: what the finder lists is what waits. */
function isWaiting(thread: Thread, label: string | null): boolean {
  if (thread.state !== 'open') return false;
  return label === null || thread.labels.some((name) => name.toLowerCase() === label.toLowerCase());
}
