import type { Branch } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { refSchema } from './github-schemas.ts';

const heads = 'refs/heads/';

/**
 * Branches whose name begins with the prefix, sorted by name.
 *
 * @see https://docs.github.com/en/rest/git/refs#list-matching-references
 */
export async function listRepositoryBranches(
  { client, place, repository }: GitHubThreadContext,
  { prefix, signal }: { readonly prefix: string } & CallOptions,
): Promise<readonly Branch[]> {
  const call = {
    doing: `list the branches of ${repository} that begin with ${prefix}`,
    repository,
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}',
    parameters: { ...place, ref: `heads/${prefix}` },
    signal,
  };
  try {
    return (await client.askAll(call, refSchema))
      .filter(({ ref }) => ref.startsWith(heads + prefix))
      .map(({ ref, object }) => ({ name: ref.slice(heads.length), sha: object.sha }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    // 409 is what a repository without commits answers: it has no branches.
    if (PlatformError.isInstance(error) && error.code === 'conflict') return [];
    throw error;
  }
}
