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
/** By host and path. */
const schema = z.record(
  z.string(),
  z.object({ path: z.string(), ids: z.array(z.string()), refused: z.string().nullable() }),
);
type Known = z.output<typeof schema>;

/** Creates it; all names are in one note. */
export function createKnownRepositories(notes: Pick<StorageNotes, 'read' | 'change'>): KnownRepositories {
  const parse = (value: unknown): Known => schema.parse(value ?? {});
  const read = async () => parse(await notes.read(noteName));
  const listOf = (known: Known) => Object.values(known).filter(({ refused }) => refused !== null);
  return {
    require: async ({ host, path, id }) => {
      if (id === null) return;
      const name = `${host}/${path}`.toLowerCase();
      if ((await read())[name]?.ids.includes(id) === true) return;
      await notes.change(noteName, (value) => {
        const known = parse(value);
        const entry = known[name] ?? { path, ids: [id], refused: null };
        return { ...known, [name]: entry.ids.includes(id) ? entry : { ...entry, refused: id } };
      });
      if ((await read())[name]?.ids.includes(id) !== true) throw new UnacceptedRepositoryError(path);
    },
    accept: async (path) => {
      let count = 0;
      await notes.change(noteName, (value) => {
        const entries = Object.entries(parse(value)).map(([name, entry]) => {
          const { ids, refused } = entry;
          if (refused === null || entry.path.toLowerCase() !== path.toLowerCase()) return [name, entry];
          count += 1;
          return [name, { ...entry, ids: [...ids, refused], refused: null }];
        });
        return Object.fromEntries(entries);
      });
      return count;
    },
    listRefused: async () => listOf(await read()).map(({ path }) => path),
  };
}
