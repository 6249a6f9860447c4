import type { HistoryItem, ThreadReference } from '@agent/context-inheritance';
import { hashTaskKey } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { RunDirectories } from '../config/run-directories.ts';

/** Runs that ended, as commands look at them. */
export interface PastRuns {
  /** Whether a run of the thread has ended. */
  readonly isIndexed: (thread: ThreadReference) => Promise<boolean>;
  /** The runs of the thread that ended, newest first, without secrets and people. */
  readonly listHistory: (thread: ThreadReference) => Promise<readonly HistoryItem[]>;
}

/** Looks at runs that ended, through the index, without owning it; what it takes is loaded when it is asked. */
export function openPast(options: {
  readonly directories: RunDirectories;
  readonly secrets: readonly string[];
  readonly locale: Locale;
}): PastRuns {
  const { directories, secrets, locale } = options;
  const { contexts: baseDirectory, paused: pausedDirectory } = directories;
  const openIndex = async () => {
    const { createFileTaskIndex } = await import('@agent/run-store');
    return createFileTaskIndex({ baseDirectory, pausedDirectory, readOnly: true });
  };
  return {
    isIndexed: async ({ taskKeyText, host }) => {
      const index = await openIndex();
      return (await index.find({ taskKeyHash: hashTaskKey(taskKeyText), host })).length > 0;
    },
    listHistory: async (thread) => {
      const library = await import('@agent/context-inheritance');
      const { find: listRuns } = await openIndex();
      const reader = library.createFilePreviousRunReader({ baseDirectory, listRuns });
      return new library.ContextInheritanceManager(reader, { secrets, locale }).listHistory(thread);
    },
  };
}
