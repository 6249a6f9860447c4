import type { StorageNotes } from '@agent/run-store';
import { z } from 'zod';

/** Another repository has a name under which tasks were begun before. Nothing begins there until an operator accepts it. */
export class UnacceptedRepositoryError extends Error {
  constructor(path: string) {
    super(
      `${path} is not the repository that had this name before, so no task begins there. If you trust it, run: agent-daemon accept ${path}`,
    );
    this.name = 'UnacceptedRepositoryError';
  }
}

/** Repository as a platform describes it. `id` outlives a rename; null if the platform has no such id. */
export interface NamedRepository {
  readonly host: string;
  readonly path: string;
  readonly id: string | null;
}

/** Repositories by name: a deleted or renamed one leaves a name that anyone can register again. */
export interface KnownRepositories {
  /** Remembers the first repository of a name. @throws UnacceptedRepositoryError for another one */
  readonly require: (repository: NamedRepository) => Promise<void>;
  /** Accepts the repositories that were refused under this name. @returns their number */
  readonly accept: (path: string) => Promise<number>;
  /** Lists the names that wait for `accept`. */
  readonly listRefused: () => Promise<readonly string[]>;
}

const noteName = 'repository-ids';
const schema = z.array(
  z.object({ host: z.string(), path: z.string(), ids: z.array(z.string()), refused: z.string().nullable() }),
);
type Known = z.output<typeof schema>[number];

const isSame = (one: Pick<Known, 'host' | 'path'>, other: Pick<Known, 'host' | 'path'>): boolean =>
  one.host === other.host && one.path.toLowerCase() === other.path.toLowerCase();

/** Creates it; all names are in one note. */
export function createKnownRepositories(notes: Pick<StorageNotes, 'read' | 'change'>): KnownRepositories {
  const parse = (value: unknown): readonly Known[] => schema.parse(value ?? []);
  const read = async () => parse(await notes.read(noteName));
  const accepts = async (named: Pick<Known, 'host' | 'path'>, id: string) =>
    (await read()).some((entry) => isSame(entry, named) && entry.ids.includes(id));
  return {
    require: async ({ host, path, id }) => {
      const named = { host, path };
      if (id === null || (await accepts(named, id))) return;
      await notes.change(noteName, (value) => {
        const known = parse(value);
        if (!known.some((entry) => isSame(entry, named)))
          return [...known, { ...named, ids: [id], refused: null }];
        return known.map((entry) =>
          isSame(entry, named) && !entry.ids.includes(id) ? { ...entry, refused: id } : entry,
        );
      });
      if (!(await accepts(named, id))) throw new UnacceptedRepositoryError(path);
    },
    accept: async (path) => {
      let count = 0;
      await notes.change(noteName, (value) => {
        count = 0;
        return parse(value).map((entry) => {
          const { ids, refused } = entry;
          if (refused === null || entry.path.toLowerCase() !== path.toLowerCase()) return entry;
          count += 1;
          return { ...entry, ids: [...ids, refused], refused: null };
        });
      });
      return count;
    },
    listRefused: async () => (await read()).filter(({ refused }) => refused !== null).map(({ path }) => path),
  };
}
