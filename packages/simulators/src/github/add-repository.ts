import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyBranches, createBareRepository } from '../shared/git/bare-repository.ts';
import { commitFiles } from '../shared/git/commit-files.ts';
import { listRefs } from '../shared/git/refs.ts';
import { commitIdentity } from './pulls/commit-identity.ts';
import type { SimulatedRepositorySeed } from './seeds.ts';
import { recordActivity } from './state/activity.ts';
import type { Repository, State } from './state/model.ts';
import {
  findRepository,
  registerRepository,
  renameRepository,
  seededRepository,
} from './state/repositories.ts';
import { seededUser } from './state/users.ts';
import type { World } from './state/world.ts';

/**
 * Git's hook that answers pushing to a protected branch, or workflows with a token that may not.
 * @see https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/about-protected-branches
 * @see https://github.com/DataChefHQ/aws-data-landing-zone/issues/29 and https://github.com/peter-evans/create-pull-request/issues/3558
 */
const updateHook = `#!/bin/sh
if [ -f "$GIT_DIR/protected-branches" ] && grep -qxF -- "$1" "$GIT_DIR/protected-branches"; then
  echo "error: GH006: Protected branch update failed for $1." >&2
  echo "error: Changes must be made through a pull request." >&2
  exit 1
fi
if [ -n "$WORKFLOWS_REFUSED_TO" ]; then
  file=$(git log --format= --name-only "$3" --not --branches -- .github/workflows | head -n 1)
  if [ -n "$file" ]; then
    printf 'refusing to allow a %s to create or update workflow \`%s\` without %s\\n' "$WORKFLOWS_REFUSED_TO" "$file" "$WORKFLOWS_LACKING" >&2
    exit 1
  fi
fi
if [ -f "$GIT_DIR/ruleset" ]; then
  pattern=$(head -n 1 "$GIT_DIR/ruleset")
  case "$1" in $pattern)
    echo "error: GH013: Repository rule violations found for $1." >&2
    echo "Review all repository rules at https://github.com/rules?ref=$1" >&2
    echo >&2
    tail -n +2 "$GIT_DIR/ruleset" >&2
    echo >&2
    exit 1 ;;
  esac
fi
`;

const defaultFiles = { 'README.md': '# Hello\n' };

/** Makes a repository: its bare git directory, one commit of the seed's files, and what GitHub keeps beside it. */
export async function addRepository({ state, git }: World, seed: SimulatedRepositorySeed): Promise<void> {
  const { owner: login, name, files = defaultFiles, collaborators = {}, hasGit = true } = seed;
  const owner = seededUser(state, login);
  checkName(state, seed);
  for (const collaborator of Object.keys(collaborators)) seededUser(state, collaborator);
  const parent = seed.forkOf === undefined ? null : seededRepository(state, seed.forkOf);
  const gitDirectory = directoryOf(git.root, { owner: owner.login, name });
  if (hasGit) await makeGit(git, { gitDirectory, parent, files, owner, now: state.now() });
  const repository = registerRepository(state, {
    owner,
    name,
    private: seed.private ?? false,
    hasIssues: seed.hasIssues ?? parent === null,
    allowsDrafts: seed.allowsDrafts ?? true,
    parent,
    gitDirectory,
    collaborators,
  });
  if (!hasGit) return;
  const refs = await listRefs(git, gitDirectory, 'refs/heads/');
  const tips = new Map(refs.map(({ name: ref, sha }) => [ref.slice('refs/heads/'.length), sha]));
  recordActivity(state, repository, { tips, by: owner });
}

async function makeGit(
  git: World['git'],
  {
    gitDirectory,
    parent,
    files,
    owner,
    now,
  }: Pick<Repository, 'gitDirectory' | 'owner'> & {
    readonly parent: Repository | null;
    readonly files: SimulatedRepositorySeed['files'];
    readonly now: number;
  },
): Promise<void> {
  await createBareRepository(gitDirectory, {
    ownRefs: 'refs/pull',
    hook: { name: 'update', text: updateHook },
  });
  if (parent) await copyBranches(git, gitDirectory, parent.gitDirectory);
  else if (files) {
    await commitFiles(git, gitDirectory, {
      branch: 'main',
      parent: null,
      files,
      author: commitIdentity(owner),
      message: 'Initial commit',
      time: Math.floor(now / 1000),
    });
  }
}

/** Renames or transfers a repository: asking by its former name leads to it, also with git. */
export async function moveRepository({ state, git }: World, from: string, to: string): Promise<void> {
  const repository = seededRepository(state, from);
  const [login = '', name = ''] = to.split('/');
  const owner = seededUser(state, login);
  checkName(state, { owner: login, name });
  const directory = directoryOf(git.root, { owner: owner.login, name });
  await mkdir(dirname(directory), { recursive: true });
  if (existsSync(repository.gitDirectory)) await rename(repository.gitDirectory, directory);
  repository.gitDirectory = directory;
  renameRepository(state, repository, { owner, name });
}

function directoryOf(
  root: string,
  { owner, name }: { readonly owner: string; readonly name: string },
): string {
  return join(root, owner, `${name}.git`);
}

/** From now on nobody may push to this branch. */
export async function protectBranch(repository: Repository, branch: string): Promise<void> {
  repository.protectedBranches.add(branch);
  await writeProtectedBranches(repository.gitDirectory, repository.protectedBranches);
}

/**
 * Rejects pushes to the branches that match a pattern, with the text that GitHub has for rulesets.
 * @see https://github.com/henne49/dbus-opendtu/issues/235 (GH013, reported in 2024)
 */
export async function setRuleset(
  repository: Repository,
  ruleset: { readonly branches: string; readonly rules: readonly string[] },
): Promise<void> {
  const { branches, rules } = ruleset;
  repository.ruleset = ruleset;
  const lines = [`refs/heads/${branches}`, ...rules.map((rule) => `- ${rule}`)];
  await writeFile(join(repository.gitDirectory, 'ruleset'), `${lines.join('\n')}\n`);
}

/** Deletes a fork, or any repository; pull requests from it stay without a head repository. */
export function deleteRepository(state: State, name: string): void {
  const deleted = seededRepository(state, name);
  state.repositories.delete(name.toLowerCase());
  for (const [former, one] of state.formerNames) if (one === deleted) state.formerNames.delete(former);
  for (const { threads } of state.repositories.values()) {
    for (const { pull } of threads.values()) if (pull?.headRepository === deleted) pull.headRepository = null;
  }
}

function checkName(state: State, { owner, name }: SimulatedRepositorySeed): void {
  // Both become folders.
  if (!/^[\w.[\]-]+$/.test(owner) || /^\.+$/.test(owner))
    throw new Error(`"${owner}" can't be the owner of a repository.`);
  if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name))
    throw new Error(`"${name}" can't be a repository's name.`);
  if (findRepository(state, `${owner}/${name}`))
    throw new Error(`The simulator already has ${owner}/${name}.`);
}

/** Tells the hook which branches it must refuse. */
async function writeProtectedBranches(directory: string, branches: Iterable<string>): Promise<void> {
  const lines = [...branches].map((branch) => `refs/heads/${branch}\n`);
  await writeFile(join(directory, 'protected-branches'), lines.join(''));
}
