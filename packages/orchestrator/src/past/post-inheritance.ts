import { formatTaskKey } from '@agent/platforms';
import type { ShownRun } from '@agent/run-store';
import type { ActiveRun, RunParts } from '../run/run.ts';
import { restsOnInternalNote } from '../run/run-audience.ts';
import type { Inherited } from './inherit-context.ts';

type ToldRun = Pick<ActiveRun, 'uuid' | 'key' | 'platform' | 'thread' | 'facts' | 'logger'>;
interface TellingParts extends Pick<RunParts, 'earlierRuns'> {
  readonly readRun: (uuid: string) => Promise<Pick<ShownRun<unknown>, 'state'>>;
}

/** `internal`: for those who may read internal notes. */
interface Told {
  readonly body: string;
  readonly internal?: boolean;
}

/**
 * Tells the thread what a run takes over, and answers `/show-history`. Both comments are found again by their topics
 * when a crash has it done twice; what cannot be written is logged, and the run goes on.
 */
export async function postInheritanceNotice(
  parts: TellingParts,
  run: ToldRun & Pick<ActiveRun, 'lineage'>,
  inherited: Inherited | null,
): Promise<void> {
  if (inherited !== null) {
    await say(run, { topic: 'inherited', tell: async () => ({ body: inherited.notice }) });
  }
  if (run.lineage.showsHistory) await say(run, { topic: 'history', tell: () => composeHistory(parts, run) });
}

/** Answers a `/show-history` that was given while the run was under way. Never rejects. */
export function postHistory(parts: TellingParts, run: ToldRun, commentId: string): Promise<void> {
  return say(run, { topic: `history:${commentId}`, tell: () => composeHistory(parts, run) });
}

async function say(
  { uuid, thread, logger }: ToldRun,
  { topic, tell }: { readonly topic: string; readonly tell: () => Promise<Told> },
): Promise<void> {
  try {
    await thread.writer.ensureComment({ topic: `run:${uuid}:${topic}`, ...(await tell()) });
  } catch (error) {
    logger.error({ err: error, topic }, 'the thread could not be told of earlier runs');
  }
}

/** A history that quotes a run which heard an internal note has the readers of that note. */
async function composeHistory(
  { earlierRuns, readRun }: TellingParts,
  { key, platform, facts: { locale }, logger }: ToldRun,
): Promise<Told> {
  const { formatHistory } = await import('@agent/context-inheritance');
  const manager = await earlierRuns?.openManager({ locale, logger });
  const thread = { taskKeyText: formatTaskKey(key), host: platform.platform.host };
  const history = (await manager?.listHistory(thread)) ?? [];
  const quoted = history.filter(({ summary }) => summary !== null);
  const rests = await Promise.all(
    quoted.map(async ({ uuid }) => restsOnInternalNote((await readRun(uuid)).state)),
  );
  const body = formatHistory(history, { locale, timeZone: earlierRuns?.timeZone });
  return { body, internal: rests.includes(true) };
}
