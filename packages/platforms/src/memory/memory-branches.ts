import type { MemoryFile, MemoryRepository, MemoryState } from './memory-state.ts';

/** Adds a commit with these files to a branch, which is made from the default branch when it is not there. */
export function pushMemoryBranch(
  state: MemoryState,
  repository: MemoryRepository,
  branch: { readonly name: string; readonly files: Readonly<Record<string, MemoryFile>> },
): void {
  const { branches, defaultBranch } = repository;
  const base = branches.get(branch.name) ?? branches.get(defaultBranch);
  const files = new Map([...(base?.files ?? []), ...Object.entries(branch.files)]);
  const sha = state.nextId().toString(16).padStart(40, '0');
  branches.set(branch.name, { sha, files });
}
