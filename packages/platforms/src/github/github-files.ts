import type * as z from 'zod';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { treeSchema } from './github-schemas.ts';

type Tree = z.output<typeof treeSchema>;

/**
 * Paths of all files at a ref, sorted. A tree too large for one answer is walked directory by directory.
 *
 * @see https://docs.github.com/en/rest/git/trees#get-a-tree
 */
export async function listRepositoryFiles(
  context: GitHubThreadContext,
  { ref, signal }: { readonly ref?: string | undefined } & CallOptions,
): Promise<string[]> {
  try {
    const whole = await askTree(context, { tree: ref ?? 'HEAD', recursive: true, signal });
    if (whole.truncated !== true) return filesOf(whole).sort();
    return (await walk(context, { tree: ref ?? 'HEAD', prefix: '', signal })).sort();
  } catch (error) {
    // 409 is what a repository without commits answers: it has no files.
    if (ref === undefined && PlatformError.isInstance(error) && error.code === 'conflict') return [];
    throw error;
  }
}

interface TreeQuestion extends CallOptions {
  readonly tree: string;
}

async function walk(
  context: GitHubThreadContext,
  { tree, prefix, signal }: TreeQuestion & { readonly prefix: string },
): Promise<string[]> {
  const level = await askTree(context, { tree, recursive: false, signal });
  if (level.truncated === true) {
    throw new PlatformError(
      `${context.repository} has a directory with more files than GitHub lists: /${prefix}`,
      {
        code: 'unavailable',
      },
    );
  }
  const paths = filesOf(level).map((path) => prefix + path);
  for (const { type, path, sha } of level.tree) {
    if (type === 'tree')
      paths.push(...(await walk(context, { tree: sha, prefix: `${prefix}${path}/`, signal })));
  }
  return paths;
}

async function askTree(
  { client, place, repository }: GitHubThreadContext,
  { tree, recursive, signal }: TreeQuestion & { readonly recursive: boolean },
): Promise<Tree> {
  const answer = await client.ask(
    {
      doing: `list the files of ${repository} at ${tree}`,
      repository,
      permission: 'contents: read',
      route: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
      parameters: { ...place, tree_sha: tree, ...(recursive ? { recursive: '1' } : {}) },
      signal,
    },
    treeSchema,
  );
  return answer.data;
}

function filesOf({ tree }: Tree): string[] {
  return tree.filter(({ type }) => type === 'blob').map(({ path }) => path);
}
