import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { secret, token } from './webhook-bed.ts';

export type Headers = Readonly<Record<string, string>>;

/** A delivery about a new comment on GitHub. */
export const comment = (more: object = {}) => ({
  action: 'created',
  repository: { full_name: 'acme/shop' },
  issue: { number: 7 },
  comment: { id: 41, updated_at: '2026-01-02T03:04:05Z', body: 'Hello' },
  ...more,
});

/** A delivery about a new note on GitLab. */
export const note = (more: object = {}) => ({
  project: { id: 5, path_with_namespace: 'acme/tools/shop' },
  object_attributes: { id: 41, updated_at: '2026-01-02 03:04:05 UTC', action: 'create' },
  issue: { iid: 7 },
  ...more,
});

export const sign = (body: string | Buffer, by = secret) =>
  `sha256=${createHmac('sha256', by).update(body).digest('hex')}`;

/** Posts as GitHub and GitLab do, but for what the headers say otherwise; one that is empty is left out. Each answers status and text. */
export function createWebhookClient(url: () => string) {
  const post = async (path: string, body: string | Buffer<ArrayBuffer>, headers: Headers) => {
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const response = await fetch(url() + path, { method: 'POST', body, headers: given });
    return [response.status, (await response.text()).trim()] as const;
  };
  const postSigned = (body: string | Buffer<ArrayBuffer>, headers: Headers = {}) => {
    const own = { 'content-type': 'application/json', 'x-github-event': 'issue_comment' };
    return post('/webhooks/github', body, { ...own, 'x-hub-signature-256': sign(body), ...headers });
  };
  return {
    postSigned,
    postGitHub: (body: object | string, headers: Headers = {}) =>
      postSigned(typeof body === 'string' ? body : JSON.stringify(body), headers),
    postGitLab: (body: object | string, headers: Headers = {}) => {
      const own = {
        'content-type': 'application/json',
        'x-gitlab-event': 'Note Hook',
        'x-gitlab-token': token,
      };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return post('/webhooks/gitlab', text, { ...own, ...headers });
    },
    /** Sends headers and a part of a body, and does not end: tells the status that comes all the same. */
    sendPart: (path: string, part: { readonly headers: Headers; readonly body?: string }) =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { method: 'POST', agent: false, headers: part.headers };
        const sent = request(url() + path, options, (answer) => {
          answer.resume();
          answer.once('error', () => {});
          resolve(answer.statusCode);
        });
        sent.once('error', reject);
        sent.write(part.body ?? ' ');
      }),
  };
}
