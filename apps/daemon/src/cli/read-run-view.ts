import { TaskBoard } from '@agent/orchestrator';
import { createRunsWatch, type RunView, type TimelinePart } from '@agent/orchestrator/watch';
import type { CommandIo } from './command-io.ts';
import type { OpenedDirectory } from './open-directory.ts';

/** Reads a run as the web UI shows it; null if its record does not say what it is. */
export function readRunView(
  { storage, redact, locale }: Pick<OpenedDirectory, 'storage' | 'redact' | 'locale'>,
  { uuid, part, io }: { readonly uuid: string; readonly part: TimelinePart; readonly io: CommandIo },
): Promise<RunView | null> {
  const logger = { warn: (_: object, message: string) => io.warn(redact(message)) };
  const watch = createRunsWatch({
    ...{ storage, redact, board: new TaskBoard({ now: io.now }), queue: null, logger },
    about: { locale, model: () => null },
    budgets: { money: null, requests: () => [] },
    clock: { now: io.now, sleep: async () => {} },
  });
  return watch.reader.readRun(uuid, part);
}
