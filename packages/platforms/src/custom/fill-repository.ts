import { PlatformError } from '../platform-error.ts';
import type { Platform, RepositoryReader, TaskSummary } from '../ports.ts';

const maxFound = 20;

/**
 * Only `describe` is needed to work in a repository. A search that an adapter does not have looks at the titles of all
 * threads; whoever asks for files hears that there are none to ask for.
 */
export function fillRepository(
  repository: Partial<RepositoryReader> & Pick<RepositoryReader, 'describe'>,
  { name, tasks }: Pick<Platform, 'name' | 'tasks'>,
): RepositoryReader {
  const without = (method: string) =>
    Promise.reject(
      new PlatformError(`The adapter of platforms.${name} has no repository.${method}.`, { code: 'invalid' }),
    );
  return {
    describe: (options) => repository.describe(options),
    listFiles: (options) => repository.listFiles?.(options) ?? without('listFiles'),
    readFile: (path, options) => repository.readFile?.(path, options) ?? without('readFile'),
    searchThreads: (query, options = {}) =>
      repository.searchThreads?.(query, options) ?? searchTitles(tasks, { query, signal: options.signal }),
  };
}

async function searchTitles(
  tasks: Platform['tasks'],
  { query, signal }: { readonly query: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly TaskSummary[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const all = await tasks.listTasks({ label: null, assignee: null, state: 'all', signal });
  const found = all.tasks.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  return found.slice(0, maxFound);
}
