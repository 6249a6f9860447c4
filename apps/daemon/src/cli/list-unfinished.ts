import type { RunMetadata } from '@agent/run-store';
import type { NamedThread } from './find-thread.ts';
import type { OpenedDirectory } from './open-directory.ts';

/** The runs of a thread that have not ended. */
export async function listUnfinished(
  { reader }: Pick<OpenedDirectory, 'reader'>,
  { taskKeyText, host }: NamedThread,
): Promise<readonly { readonly metadata: RunMetadata; readonly state: 'running' | 'paused' }[]> {
  const { running, pausing, paused } = await reader.readOverview({ recent: 0 });
  return [
    ...running.map(({ metadata }) => ({ metadata, state: 'running' as const })),
    ...[...pausing, ...paused].map(({ metadata }) => ({ metadata, state: 'paused' as const })),
  ].filter(({ metadata }) => metadata.taskKeyText === taskKeyText && metadata.host === host);
}
