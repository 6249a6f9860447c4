import { createHash, randomUUID } from 'node:crypto';
import { type Reply, textReply } from '../../shared/http/reply.ts';
import { roleOfToken } from '../state/access.ts';
import type { State, Token, Upload } from '../state/model.ts';
import { seededRepository } from '../state/repositories.ts';

const page = '/user-attachments/assets/';
const storage = '/user-asset-storage/';

/** Keeps what somebody drops into a text of the repository; answers with the path of its address. */
export function addUpload(
  state: State,
  { repo, content }: { readonly repo: string } & Pick<Upload, 'content'>,
): string {
  const id = randomUUID();
  state.uploads.set(id, { repository: seededRepository(state, repo), content });
  return `${page}${id}`;
}

/** Tells whether a path is one of uploads, which are no part of the API. */
export function isUploadPath(path: string): boolean {
  return path.startsWith(page) || path.startsWith(storage);
}

export interface UploadRequest {
  readonly url: URL;
  readonly token: Token | null;
  /** Its header, whatever it says. */
  readonly authorization: string | undefined;
}

/**
 * Answers a request for an upload: who may read the repository is redirected to a signed address, which takes the signature alone.
 * On GitHub that is a host of its own.
 */
export function answerUpload({ uploads }: State, { url, token, authorization }: UploadRequest): Reply {
  const id = url.pathname.split('/').at(-1) ?? '';
  const upload = uploads.get(id);
  const signature = createHash('sha256').update(id).digest('hex');
  if (url.pathname.startsWith(page)) {
    if (!upload || roleOfToken(upload.repository, token) === null) return textReply(404, 'Not Found');
    const location = `${url.origin}${storage}${id}?X-Amz-Signature=${signature}`;
    return textReply(302, '', { location });
  }
  if (authorization !== undefined) return textReply(400, 'Only one auth mechanism allowed');
  if (!upload || url.searchParams.get('X-Amz-Signature') !== signature) return textReply(403, 'Forbidden');
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, content: upload.content };
}
