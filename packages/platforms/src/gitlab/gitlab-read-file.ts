import { RepositoryFiles } from '@gitbeaker/rest';
import { decodeText } from '../decode-text.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { fileSchema } from './gitlab-schemas.ts';

/**
 * Text of one file, of any size.
 *
 * @throws PlatformError `not-found` for a directory too, `invalid` for bytes that are not UTF-8 text
 * @see https://docs.gitlab.com/api/repository_files/#get-file-from-repository
 */
export async function readRepositoryFile(
  { client, projectId, project }: GitLabThreadContext,
  { path, ref = 'HEAD', signal }: { readonly path: string; readonly ref?: string | undefined } & CallOptions,
): Promise<string> {
  const { content, encoding } = await client.ask(
    {
      doing: `read ${path} of ${project}`,
      repository: project,
      permission: 'scope api',
      route: 'GET /projects/{id}/repository/files/{file_path}',
      send: (bound) => new RepositoryFiles(bound).show(projectId, path, ref),
      signal,
    },
    fileSchema,
  );
  const text = decodeText(Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
  if (text !== null) return text;
  throw new PlatformError(`${path} of ${project} cannot be read as text: its bytes are not UTF-8.`, {
    code: 'invalid',
  });
}
