import * as z from 'zod';
import { lineCommentSchema, toLineComment } from '../github/github-review-answers.ts';
import type { GitHubTaskKey } from '../task-key.ts';
import {
  payloadId,
  payloadNumber,
  toCommentRings,
  toThreadRing,
  type WebhookEvent,
} from './webhook-origin.ts';

const repository = z.object({ full_name: z.string().regex(/^[^/]+\/[^/]+$/) });
const pull = z.object({ number: payloadNumber });
const change = z.enum(['created', 'edited', 'deleted']);

const linePayload = z.object({
  action: z.string(),
  repository,
  pull_request: pull,
  comment: z.object({ id: payloadId, updated_at: z.string().nullish() }),
});
const reviewPayload = z.object({ action: z.string(), repository, pull_request: pull });
const checked = z.object({ pull_requests: z.array(pull).nullish() });
const checkPayload = z.object({
  action: z.string(),
  repository,
  check_run: checked.nullish(),
  check_suite: checked.nullish(),
  workflow_run: checked.nullish(),
});

/**
 * Reads what GitHub delivered of reviews and checks; null for other events. What a review, a thread or a check says is in no
 * ring: it makes the next poll a fresh one. A status names no pull request, and is found by the polls that are made anyway.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request_review_comment
 */
export function parseReviewEvent(name: string, payload: unknown): WebhookEvent | null {
  switch (name) {
    case 'pull_request_review_comment':
      return parseLineComment(payload);
    case 'pull_request_review':
    case 'pull_request_review_thread':
      return read(reviewPayload, payload, ({ repository: place, pull_request: { number } }) =>
        toHappening(place.full_name, [number]),
      );
    case 'check_run':
    case 'check_suite':
    case 'workflow_run':
      return read(checkPayload, payload, (data) => {
        if (data.action !== 'completed') return { kind: 'ignored', reason: 'this check is not completed' };
        const said = data.check_run ?? data.check_suite ?? data.workflow_run;
        const numbers = (said?.pull_requests ?? []).map(({ number }) => number);
        return toHappening(data.repository.full_name, numbers);
      });
    default:
      return null;
  }
}

function parseLineComment(payload: unknown): WebhookEvent {
  return read(linePayload, payload, ({ action, repository: place, pull_request: { number }, comment }) => {
    const changed = change.safeParse(action);
    if (!changed.success) return { kind: 'ignored', reason: 'this action is not used' };
    const shown = z.object({ comment: lineCommentSchema }).safeParse(payload);
    const rings = toCommentRings({
      key: toKey(place.full_name, number),
      commentId: `line-${comment.id}`,
      updatedAt: comment.updated_at ?? null,
      change: changed.data,
      comment: changed.data !== 'deleted' && shown.success ? toLineComment(shown.data.comment) : null,
    });
    return { ...toHappening(place.full_name, []), rings };
  });
}

function read<Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  toEvent: (data: z.output<Schema>) => WebhookEvent,
): WebhookEvent {
  const { success, data, error } = schema.safeParse(payload);
  return success ? toEvent(data) : { kind: 'malformed', reason: z.prettifyError(error) };
}

function toHappening(place: string, numbers: readonly number[]) {
  const rings = [...new Set(numbers)].map((number) => toThreadRing(toKey(place, number)));
  return { kind: 'happening', repository: place, rings, labels: [], isAssigned: false, texts: [] } as const;
}

function toKey(place: string, number: number): GitHubTaskKey {
  const [owner = '', repo = ''] = place.split('/');
  return { type: 'github_pull_request', owner, repo, number };
}
