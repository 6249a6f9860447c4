import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../workspace/root.ts';

/** Under which name and from which repository the packages are published. */
export interface ReleaseIdentity {
  /** npm scope of all packages, such as `@agent`. */
  readonly scope: string;
  /** Address of the repository, such as `https://github.com/acme/agent`. */
  readonly repository: string;
}

/** Scope that the sources have. */
export const sourceScope = '@agent';

/**
 * Reads `release.json`, the one place of scope and repository.
 *
 * @throws Error with one line for a value that is missing or cannot be right
 */
export function readReleaseIdentity(root: string = repositoryRoot): ReleaseIdentity {
  const { scope, repository } = JSON.parse(readFileSync(join(root, 'release.json'), 'utf8')) as Partial<
    Record<keyof ReleaseIdentity, unknown>
  >;
  return checkReleaseIdentity({ scope, repository });
}

/** @throws Error with one line for a value that is missing or cannot be right */
export function checkReleaseIdentity({
  scope,
  repository,
}: Readonly<Record<keyof ReleaseIdentity, unknown>>): ReleaseIdentity {
  if (typeof scope !== 'string' || !/^@[a-z\d][a-z\d-]*$/.test(scope))
    throw new Error(
      `release.json: scope must be an npm scope such as "@agent"; it is ${JSON.stringify(scope)}.`,
    );
  if (repository === null || repository === undefined)
    throw new Error(
      'release.json: repository is not set. Set it to the address of the repository, such as "https://github.com/acme/agent": the packages name it as their source.',
    );
  if (typeof repository !== 'string' || !/^https:\/\/[^\s/]+\/[^\s?#]+[^\s/?#]$/.test(repository))
    throw new Error(
      `release.json: repository must be an https address without a slash at its end; it is ${JSON.stringify(repository)}.`,
    );
  return { scope, repository };
}
