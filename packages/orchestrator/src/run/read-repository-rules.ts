import { PlatformError, type RepositoryReader } from '@agent/platforms';
import type { TaskWorkspace } from '@agent/workspace';
import { readRepositoryInstructions } from '@agent/workspace';
import type { Run } from './run.ts';

/** A run, as far as the rules of its repository go. */
export interface RuledRun {
  readonly facts: Pick<Run['facts'], 'kind' | 'repository'>;
  readonly thread: { readonly ports: Pick<Run['thread']['ports'], 'repository'> };
}

export interface RepositoryRulesOptions {
  /** Null where there is no repository. */
  readonly workspace: Pick<TaskWorkspace, 'readBaseFiles'> | null;
  readonly clean: (text: string) => Promise<string>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What the repository of a run asks of agents; empty when it asks nothing. Of a request from a fork that is what stands on
 * the base branch of the repository that the request is for: the fork's own base branch is its owner's.
 *
 * @throws WorkspaceError, PlatformError when it cannot be read now
 */
export async function readRepositoryRules(
  { facts, thread: { ports } }: RuledRun,
  { workspace, clean, signal }: RepositoryRulesOptions,
): Promise<string> {
  const { kind, repository } = facts;
  if (workspace === null || repository === null) return '';
  const port = kind === 'issue' ? null : ports.repository;
  const isFork = port !== null && !isSamePath((await port.describe({ signal })).path, repository.path);
  const readFiles = (paths: readonly string[]) =>
    isFork
      ? readByPort(port, { paths, ref: repository.baseBranch, signal })
      : workspace.readBaseFiles(paths, { signal });
  return (await readRepositoryInstructions({ readFiles, clean })) ?? '';
}

async function readByPort(
  port: RepositoryReader,
  options: {
    readonly paths: readonly string[];
    readonly ref: string;
    readonly signal: AbortSignal | undefined;
  },
): Promise<readonly (string | null)[]> {
  const { paths, ref, signal } = options;
  const texts: (string | null)[] = [];
  for (const path of paths) texts.push(await port.readFile(path, { ref, signal }).catch(ignoreMissing));
  return texts;
}

/** Not there, or no text. */
function ignoreMissing(error: unknown): null {
  if (PlatformError.isInstance(error) && ['not-found', 'invalid'].includes(error.code)) return null;
  throw error;
}

const isSamePath = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
