import { isUtf8 } from 'node:buffer';
import { checkOptions, expected } from '@agent/text/options';
import type { Webhooks } from '@octokit/webhooks';
import * as z from 'zod';
import { commentSchema, toComment } from '../github/github-answers.ts';
import { loadPeer } from '../http/load-peer.ts';
import type { Comment } from '../model.ts';
import type { GitHubTaskKey } from '../task-key.ts';
import { parseReviewEvent } from './github-review-events.ts';
import {
  payloadId,
  payloadNumber,
  toCommentRings,
  toThreadRing,
  type WebhookEvent,
  type WebhookOrigin,
} from './webhook-origin.ts';

/**
 * Anybody may make us read a body before its signature can be looked at, so that GitHub's own limit of 25 MB is too
 * much. An issue, a comment and the comment as it was hold 65,536 characters each, which are below 1.2 MB however they
 * are escaped.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap
 */
const maxBodyBytes = 4 * 1024 * 1024;
const signature = 'x-hub-signature-256';

/**
 * GitHub signs each body with the webhook's secret (HMAC SHA-256).
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 * @example
 * createWebhookHandler({ origin: createGitHubOrigin({ secret }), repositories: ['octo/hello'], bell: createDoorbell() });
 */
export function createGitHubOrigin(options: { readonly secret: string }): WebhookOrigin {
  const expectSecret = { ...expected.text, isSecret: true };
  checkOptions('GitHubOriginOptions', options, { secret: expectSecret }, ['secret']);
  const { secret } = options;
  let opened: Promise<Webhooks> | null = null;
  return {
    name: 'github',
    maxBodyBytes,
    refusal: (header) =>
      /^sha256=[0-9a-f]{64}$/.test(header(signature) ?? '')
        ? null
        : 'There is no X-Hub-Signature-256. Enter the secret in the settings of the webhook.',
    // The signature is over bytes, Octokit takes text: only of well-formed UTF-8 are the two the same.
    open: async ({ header, body }) => {
      if (body.length === 0 || !isUtf8(body)) return null;
      const text = body.toString('utf8');
      opened ??= openWebhooks(secret);
      return (await (await opened).verify(text, header(signature) ?? '')) ? text : null;
    },
    describe: (header) => ({
      event: header('x-github-event') ?? null,
      id: header('x-github-delivery') ?? null,
    }),
    parse: parseGitHubEvent,
  };
}

async function openWebhooks(secret: string): Promise<Webhooks> {
  const { Webhooks: Verifier } = await loadPeer(() => import('@octokit/webhooks'), {
    entry: '@agent/platforms/webhooks',
    packages: ['@octokit/webhooks'],
  });
  return new Verifier({ secret });
}

const repository = z.object({ full_name: z.string().regex(/^[^/]+\/[^/]+$/) });
const label = z.object({ name: z.string() });
const thread = z.object({
  number: payloadNumber.nullish(),
  labels: z.array(label).nullish(),
  assignees: z.array(z.unknown()).nullish(),
  body: z.string().nullish(),
});

const commentPayload = z.object({
  action: z.string(),
  repository,
  issue: z.object({ number: payloadNumber }),
  comment: z.object({ id: payloadId, updated_at: z.string().nullish(), body: z.string().nullish() }),
});

const threadPayload = z.object({
  action: z.string(),
  repository,
  label: label.nullish(),
  issue: thread.nullish(),
  pull_request: thread.nullish(),
});

/**
 * Reads what GitHub delivered. A comment of a pull request's conversation comes as one of an issue.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export function parseGitHubEvent(name: string, payload: unknown): WebhookEvent {
  if (name === 'ping') return { kind: 'ping' };
  if (name === 'issue_comment') return parseComment(payload);
  if (name === 'issues' || name === 'pull_request') return parseThread(payload);
  return parseReviewEvent(name, payload) ?? { kind: 'ignored', reason: 'this event is not used' };
}

function parseComment(payload: unknown): WebhookEvent {
  const { success, data, error } = commentPayload.safeParse(payload);
  if (!success) return { kind: 'malformed', reason: z.prettifyError(error) };
  const { action, repository, issue, comment } = data;
  if (action !== 'created' && action !== 'edited' && action !== 'deleted')
    return { kind: 'ignored', reason: 'this action is not used' };
  const [owner = '', repo = ''] = repository.full_name.split('/');
  const rings = toCommentRings({
    key: { type: 'github_issue', owner, repo, number: issue.number },
    commentId: comment.id,
    updatedAt: comment.updated_at ?? null,
    change: action,
    comment: action === 'deleted' ? null : readGitHubComment(payload),
  });
  const texts = action === 'deleted' ? [] : [comment.body ?? ''];
  return {
    kind: 'happening',
    repository: repository.full_name,
    rings,
    labels: [],
    isAssigned: false,
    texts,
  };
}

/** Acts on a thread that can stop its run. */
const stopping: ReadonlySet<string> = new Set(['closed', 'unlabeled', 'unassigned', 'deleted']);

function parseThread(payload: unknown): WebhookEvent {
  const { success, data, error } = threadPayload.safeParse(payload);
  if (!success) return { kind: 'malformed', reason: z.prettifyError(error) };
  const { action, repository, label, issue, pull_request: pullRequest } = data;
  const { number, labels, assignees, body } = pullRequest ?? issue ?? {};
  const happening = { kind: 'happening', repository: repository.full_name, rings: [] } as const;
  const nothing = { ...happening, labels: [], isAssigned: false, texts: [] };
  if (action === 'labeled') return { ...nothing, labels: label ? [label.name] : [] };
  if (action === 'assigned') return { ...nothing, isAssigned: true };
  if (action === 'edited') return { ...nothing, texts: [body ?? ''] };
  if (stopping.has(action) && number != null) {
    const [owner = '', repo = ''] = repository.full_name.split('/');
    const key: GitHubTaskKey = {
      type: pullRequest ? 'github_pull_request' : 'github_issue',
      ...{ owner, repo, number },
    };
    return { ...nothing, rings: [toThreadRing(key)] };
  }
  if (action !== 'opened' && action !== 'reopened')
    return { kind: 'ignored', reason: 'this action is not used' };
  return {
    ...happening,
    labels: (labels ?? []).map(({ name }) => name),
    isAssigned: (assignees ?? []).length > 0,
    texts: [body ?? ''],
  };
}

const payloadSchema = z.object({ comment: commentSchema });

/**
 * The comment that the payload of an `issue_comment` event is about, whose fields are those of the REST API; null where
 * there is none. Whether the payload is GitHub's must be known before.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#issue_comment
 */
function readGitHubComment(payload: unknown): Comment | null {
  const { success, data } = payloadSchema.safeParse(payload);
  return success ? toComment(data.comment) : null;
}
