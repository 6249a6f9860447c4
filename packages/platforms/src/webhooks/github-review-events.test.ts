import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parseGitHubEvent } from './github-origin.ts';

interface Recorded {
  readonly name: string;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

// As data: the package's own entry starts intercepting HTTP.
const recorded: readonly Recorded[] = createRequire(import.meta.url)('@octokit/webhooks-examples');
const examplesOf = (event: string) => recorded.find(({ name }) => name === event)?.examples ?? [];
const events = [
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'check_run',
  'check_suite',
  'workflow_run',
] as const;

describe('events of reviews and checks', () => {
  it.each(events)('of kind %s are read as GitHub records them [NX-187]', (event) => {
    const examples = examplesOf(event);
    expect(examples.length).toBeGreaterThan(0);
    const kinds = examples.map((payload) => parseGitHubEvent(event, payload).kind);
    expect(kinds).not.toContain('malformed');
    expect(parseGitHubEvent(event, { action: 'completed' }).kind).toBe('malformed');
  });

  it('ring for the comment on a line, with its text where it stands [NX-187]', () => {
    const [created = {}] = examplesOf('pull_request_review_comment').filter(
      ({ action }) => action === 'created',
    );
    const event = parseGitHubEvent('pull_request_review_comment', created);
    const { id } = created.comment as { readonly id: number };
    expect(event).toMatchObject({
      kind: 'happening',
      rings: [{ key: { type: 'github_pull_request' }, commentId: `line-${id}`, deleted: false }],
    });
    const [ring] = event.kind === 'happening' ? event.rings : [];
    expect(ring?.comment?.subject?.kind).toBe('line');
    const gone = parseGitHubEvent('pull_request_review_comment', { ...created, action: 'deleted' });
    expect(gone).toMatchObject({ rings: [{ commentId: `line-${id}`, deleted: true, comment: null }] });
  });

  it('ring without a comment for a review, and for a check that has ended, once for each pull request [NX-187]', () => {
    const repository = { full_name: 'octo/hello' };
    const ring = (number: number) => ({ key: { number }, commentId: null, updatedAt: null });
    expect(
      parseGitHubEvent('pull_request_review', {
        action: 'submitted',
        repository,
        pull_request: { number: 7 },
      }),
    ).toMatchObject({ rings: [ring(7)] });
    const run = { pull_requests: [{ number: 7 }, { number: 8 }, { number: 7 }] };
    const ended = { action: 'completed', repository, check_run: run };
    expect(parseGitHubEvent('check_run', ended)).toMatchObject({ rings: [ring(7), ring(8)] });
    expect(parseGitHubEvent('check_run', { ...ended, action: 'created' }).kind).toBe('ignored');
    expect(parseGitHubEvent('status', { repository, sha: 'a' }).kind).toBe('ignored');
  });
});
