import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  commentSchema,
  issueSchema,
  pullSchema,
  toChangeRequest,
  toComment,
  toTaskSummary,
} from '../github/github-answers.ts';
import {
  checkRunSchema,
  jobSchema,
  lineCommentSchema,
  reviewSchema,
  statusSchema,
  toCheck,
  toLineComment,
  toReviewComment,
  toStatusCheck,
} from '../github/github-review-answers.ts';
import { parseGitHubEvent } from './github-origin.ts';
import type { WebhookEvent } from './webhook-origin.ts';

type Payload = Readonly<Record<string, unknown>>;

// As data: the package's own entry starts intercepting HTTP.
const recorded: readonly { readonly name: string; readonly examples: readonly Payload[] }[] = createRequire(
  import.meta.url,
)('@octokit/webhooks-examples');

/** Actions that are heard, by event; all others are of no use. */
const heard: Readonly<Record<string, RegExp>> = {
  issue_comment: /^(?:created|edited|deleted)$/,
  issues: /^(?:opened|reopened|labeled|assigned|edited|closed|unlabeled|unassigned|deleted)$/,
  pull_request: /^(?:opened|reopened|labeled|assigned|edited|closed|unlabeled|unassigned|deleted)$/,
  pull_request_review: /^(?:submitted|edited|dismissed)$/,
  pull_request_review_comment: /^(?:created|edited|deleted)$/,
  pull_request_review_thread: /^(?:resolved|unresolved)$/,
  check_run: /^completed$/,
  check_suite: /^completed$/,
  workflow_run: /^completed$/,
};

const number = z.object({ number: z.number() });
/** Threads that a delivery is about, read without the code under test. */
const aboutSchema = z.object({
  action: z.string().optional(),
  repository: z.object({ full_name: z.string() }),
  issue: number.optional(),
  pull_request: number.optional(),
  check_run: z.object({ pull_requests: z.array(number) }).optional(),
  check_suite: z.object({ pull_requests: z.array(number) }).optional(),
  workflow_run: z.object({ pull_requests: z.array(number) }).optional(),
});

const all = recorded.flatMap(({ name, examples }) =>
  examples.map((payload, index) => ({
    ...{ name, payload, index, action: typeof payload.action === 'string' ? payload.action : '' },
  })),
);
const wanted = all.filter(({ name, action }) => heard[name]?.test(action));

const threadsOf = (event: WebhookEvent): readonly string[] =>
  event.kind !== 'happening'
    ? []
    : event.rings.map(({ key }) => [key.type, 'number' in key ? key.number : ''].join(' '));

describe('deliveries as GitHub recorded them', () => {
  it('are heard where they are of use, and all others ignored with a reason [NX-187]', () => {
    for (const { name, action, payload } of all) {
      const event = parseGitHubEvent(name, payload);
      const isWanted = heard[name]?.test(action) ?? false;
      const other = name === 'ping' ? 'ping' : 'ignored';
      expect({ name, action, kind: event.kind }).toEqual({
        name,
        action,
        kind: isWanted ? 'happening' : other,
      });
      if (event.kind === 'ignored') expect(event.reason).toMatch(/is not (used|completed|finished)$/);
    }
    expect(new Set(wanted.map(({ name }) => name))).toEqual(new Set(Object.keys(heard)));
  });

  it('name their repository, and the threads that are to be looked at [NX-187]', () => {
    const seen = new Set<string>();
    for (const { name, action, payload } of wanted) {
      const about = aboutSchema.parse(payload);
      const event = parseGitHubEvent(name, payload);
      expect(event).toMatchObject({ kind: 'happening', repository: about.repository.full_name });
      const said = about.check_run ?? about.check_suite ?? about.workflow_run;
      const stops = /^(?:closed|unlabeled|unassigned|deleted)$/.test(action);
      const isOfPull = name.startsWith('pull_request_') || (name === 'pull_request' && stops);
      const pulls = isOfPull ? [about.pull_request] : (said?.pull_requests ?? []);
      const threads = [...new Set(pulls.map((pull) => `github_pull_request ${pull?.number}`))];
      const issue = `github_issue ${about.issue?.number}`;
      const isOfIssue = name === 'issue_comment' || (name === 'issues' && stops);
      expect(new Set(threadsOf(event))).toEqual(new Set(isOfIssue ? [issue] : threads));
      if (threads.length > 0) seen.add(`${name} ${action}`);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['pull_request_review submitted', 'check_suite completed']),
    );
  });

  it.each(['issue_comment', 'pull_request_review_comment'])(
    'of %s carry the comment with its id, its revision and who wrote it [NX-187]',
    (event) => {
      const about = z.object({
        comment: z.object({
          ...{ id: z.number(), updated_at: z.string(), body: z.string(), html_url: z.string() },
          user: z.object({ id: z.number(), login: z.string(), type: z.string() }),
        }),
      });
      const given = wanted.filter(({ name, action }) => name === event && action === 'created');
      expect(given.length).toBeGreaterThan(0);
      for (const { payload } of given) {
        const { id, user, updated_at: updatedAt, body, html_url: url } = about.parse(payload).comment;
        const named = event === 'issue_comment' ? String(id) : `line-${id}`;
        const author = {
          id: String(user.id),
          login: user.login,
          kind: user.type === 'Bot' ? 'bot' : 'person',
        };
        expect(parseGitHubEvent(event, payload)).toMatchObject({
          rings: [{ commentId: named, comment: { id: named, author, updatedAt, body, url } }],
        });
      }
    },
  );

  it('that lack what they are about are malformed, not ignored [NX-187]', () => {
    for (const { name, payload } of wanted) {
      const { repository: _, ...without } = payload;
      expect(parseGitHubEvent(name, without)).toMatchObject({ kind: 'malformed' });
    }
  });
});

/** Every value under this name in a recorded delivery. */
const resources = (name: string, event: RegExp = /./) =>
  all.flatMap(({ payload, ...one }) =>
    event.test(one.name) && payload[name] != null ? [payload[name] as Payload] : [],
  );

describe('resources as GitHub recorded them pass the schemas of its answers', () => {
  it('issues, pull requests and comments [NX-187]', () => {
    // Two examples of pinned issues have no state, which no answer of the API lacks.
    const shown = resources('issue').filter(({ state }) => state !== undefined);
    const issues = shown.map((one) => toTaskSummary(issueSchema.parse(one), 'octo/hello'));
    expect(issues.length).toBeGreaterThan(30);
    for (const { number, author, title } of issues)
      expect([number, author?.login, title]).not.toContain(undefined);
    const pulls = resources('pull_request', /^pull_request$/);
    expect(pulls.length).toBeGreaterThan(20);
    for (const pull of pulls) {
      const { headSha, state, number } = toChangeRequest(pullSchema.parse(pull));
      expect({ headSha, number }).toEqual({ headSha: (pull.head as Payload).sha, number: pull.number });
      expect(state).toBe(pull.state === 'open' ? 'open' : pull.merged === true ? 'merged' : 'closed');
    }
    for (const comment of resources('comment', /^issue_comment$/))
      expect(toComment(commentSchema.parse(comment))).toMatchObject({ id: String(comment.id) });
  });

  it('comments on lines, reviews, check runs, jobs and statuses [NX-187]', () => {
    const lines = resources('comment', /^pull_request_review_comment$/);
    for (const line of lines)
      expect(toLineComment(lineCommentSchema.parse(line)).subject).toMatchObject({
        ...{ kind: 'line', path: line.path, side: line.side === 'LEFT' ? 'old' : 'new' },
      });
    // A delivery writes the state of a review in small letters, the API in capitals.
    const reviews = resources('review').map((one) => ({ ...one, state: String(one.state).toUpperCase() }));
    const told = reviews.map((review) => toReviewComment(reviewSchema.parse(review)));
    expect(told.filter((one) => one !== null).length).toBeGreaterThan(0);
    const place = { attempt: 1, required: null };
    const runs = resources('check_run').map((run) => toCheck(checkRunSchema.parse(run), place));
    const jobs = resources('workflow_job').map((job) => toCheck(jobSchema.parse(job), place));
    for (const { head, conclusion, endedAt } of [...runs, ...jobs])
      expect([head.length, conclusion === null]).toEqual([40, endedAt === null]);
    const statuses = all.filter(({ name }) => name === 'status');
    for (const { payload } of statuses)
      expect(
        toStatusCheck(statusSchema.parse(payload), { ...place, head: String(payload.sha) }),
      ).toMatchObject({
        name: payload.context,
      });
    for (const found of [lines, reviews, runs, jobs, statuses]) expect(found.length).toBeGreaterThan(2);
  });
});
