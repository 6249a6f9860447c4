import * as z from 'zod';
import { decodeText } from '../decode-text.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { blobSchema, contentSchema } from './github-schemas.ts';

const answerSchema = z.union([contentSchema, z.array(z.unknown())]);

interface FileQuestion extends CallOptions {
  readonly path: string;
  readonly ref?: string | undefined;
}

/**
 * Text of one file. What is over 1 MB is not in GitHub's first answer and is read as a blob.
 *
 * @throws PlatformError `invalid` for a directory, a submodule, and bytes that are not UTF-8 text
 * @see https://docs.github.com/en/rest/repos/contents#get-repository-content
 */
export async function readRepositoryFile(
  context: GitHubThreadContext,
  question: FileQuestion,
): Promise<string> {
  const { client, place, repository } = context;
  const { path, ref, signal } = question;
  const { data } = await client.ask(
    {
      doing: `read ${path} of ${repository}`,
      repository,
      permission: 'contents: read',
      route: 'GET /repos/{owner}/{repo}/contents/{path}',
      parameters: { ...place, path, ...(ref === undefined ? {} : { ref }) },
      signal,
    },
    answerSchema,
  );
  if (Array.isArray(data) || data.type !== 'file') throw notText(context, path, 'it is not a file');
  const isWhole = data.encoding === 'base64' && typeof data.content === 'string';
  const base64 = isWhole ? (data.content ?? '') : await readBlob(context, { path, sha: data.sha, signal });
  return (
    decodeText(Buffer.from(base64, 'base64')) ??
    Promise.reject(notText(context, path, 'its bytes are not UTF-8'))
  );
}

/** @see https://docs.github.com/en/rest/git/blobs#get-a-blob */
async function readBlob(
  { client, place, repository }: GitHubThreadContext,
  { path, sha, signal }: CallOptions & { readonly path: string; readonly sha: string },
): Promise<string> {
  const answer = await client.ask(
    {
      doing: `read ${path} of ${repository}`,
      repository,
      permission: 'contents: read',
      route: 'GET /repos/{owner}/{repo}/git/blobs/{file_sha}',
      parameters: { ...place, file_sha: sha },
      signal,
    },
    blobSchema,
  );
  return answer.data.content;
}

function notText({ repository }: GitHubThreadContext, path: string, why: string): PlatformError {
  return new PlatformError(`${path} of ${repository} cannot be read as text: ${why}.`, { code: 'invalid' });
}
