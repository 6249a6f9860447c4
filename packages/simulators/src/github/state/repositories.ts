import { takeId, timestamp } from './create-state.ts';
import type { Label, Repository, Role, State, User } from './model.ts';

/** The labels that every new repository has. @see https://docs.github.com/issues/using-labels-and-milestones-to-track-work/managing-labels#about-default-labels */
const defaultLabels: readonly (readonly [name: string, color: string, description: string])[] = [
  ['bug', 'd73a4a', "Something isn't working"],
  ['documentation', '0075ca', 'Improvements or additions to documentation'],
  ['duplicate', 'cfd3d7', 'This issue or pull request already exists'],
  ['enhancement', 'a2eeef', 'New feature or request'],
  ['good first issue', '7057ff', 'Good for newcomers'],
  ['help wanted', '008672', 'Extra attention is needed'],
  ['invalid', 'e4e669', "This doesn't seem right"],
  ['question', 'd876e3', 'Further information is requested'],
  ['wontfix', 'ffffff', 'This will not be worked on'],
];

export interface NewRepository {
  readonly owner: User;
  readonly name: string;
  readonly private: boolean;
  readonly hasIssues: boolean;
  readonly allowsDrafts: boolean;
  readonly parent: Repository | null;
  readonly gitDirectory: string;
  readonly collaborators: Readonly<Record<string, Role>>;
}

/** Registers a repository whose git directory exists already. */
export function registerRepository(state: State, seed: NewRepository): Repository {
  const { parent, collaborators, ...plain } = seed;
  const created = timestamp(state);
  const repository: Repository = {
    ...plain,
    id: takeId(state),
    fork: parent ? { parent } : null,
    archived: false,
    disabled: false,
    createdAt: created,
    updatedAt: created,
    pushedAt: created,
    defaultBranch: 'main',
    collaborators: new Map(Object.entries(collaborators).map(([login, role]) => [login.toLowerCase(), role])),
    labels: new Map(
      defaultLabels.map(([name, color, description]) => [
        name,
        { id: takeId(state), name, color, description, isDefault: true } satisfies Label,
      ]),
    ),
    threads: new Map(),
    deletedThreads: new Set(),
    transferredThreads: new Map(),
    comments: new Map(),
    bots: new Set(),
    checks: {
      suites: new Map(),
      runs: new Map(),
      workflows: new Map(),
      statuses: [],
      required: new Map(),
      asked: new Set(),
      script: null,
    },
    protectedBranches: new Set(),
    ruleset: null,
    activity: [],
    nextNumber: 1,
  };
  state.formerNames.delete(fullName(repository).toLowerCase());
  state.repositories.set(fullName(repository).toLowerCase(), repository);
  for (const { app, account, repositoryIds } of state.installations.values())
    if (account === repository.owner && !repositoryIds) repository.bots.add(app.bot);
  return repository;
}

/** Renames or transfers a repository; its former name leads to it until another takes it. */
export function renameRepository(
  state: State,
  repository: Repository,
  { owner, name }: Pick<Repository, 'owner' | 'name'>,
): void {
  const former = fullName(repository).toLowerCase();
  state.repositories.delete(former);
  state.formerNames.set(former, repository);
  repository.owner = owner;
  repository.name = name;
  state.formerNames.delete(fullName(repository).toLowerCase());
  state.repositories.set(fullName(repository).toLowerCase(), repository);
}

/** `owner/name`, as it is spelled. */
export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** The repository called `owner/name`, whatever the case. */
export function findRepository(state: State, name: string): Repository | undefined {
  return state.repositories.get(name.toLowerCase());
}

/** The repository that is called so, or was: git follows a repository that moved. */
export function findByAnyName(state: State, name: string): Repository | undefined {
  return findRepository(state, name) ?? state.formerNames.get(name.toLowerCase());
}

/** The repository with this id, as Link headers name it (`/repositories/{id}`). */
export function findRepositoryById(state: State, id: number): Repository | undefined {
  return [...state.repositories.values()].find((repository) => repository.id === id);
}

/** The repository that is called `owner/name`, or was, for seeds. @throws when there is none. */
export function seededRepository(state: State, name: string): Repository {
  const repository = findByAnyName(state, name);
  if (!repository)
    throw new Error(`The simulator has no repository "${name}": await addRepository(…) first.`);
  return repository;
}
