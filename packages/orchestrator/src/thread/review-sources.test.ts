import { PlatformError } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { describe, expect, it } from 'vitest';
import { createCommentFeeds } from '../connection/connect-platforms.ts';
import type { RunLogger } from '../host/ports.ts';
import { asksForNothing, openReviewSources, overhearReviews, withReviews } from './review-sources.ts';

type Flag = boolean | 'own';

function createWorld(author: string) {
  let time = Date.parse('2026-01-02T03:04:05Z');
  const platform = createMemoryPlatform({ now: () => new Date(time) });
  const key = platform.people.openPullRequest({ author, title: 'Sum', headBranch: 'sum' });
  const openSource = createCommentFeeds({}).openOn(platform);
  const warned: unknown[] = [];
  const warn = (fields: object) => void warned.push((fields as { readonly list?: string }).list);
  const logger = { debug: () => {}, info: () => {}, warn, error: () => {} } as unknown as RunLogger;
  const requests: string[] = [];
  const open = async (reviews: Flag, checks: Flag) => {
    const onRequest = ({ route }: { readonly route: string }) => void requests.push(route);
    const review = openReviewSources({ platform, openSource }, { key, onRequest });
    const heard: string[] = [];
    const thread = platform.openThread(key);
    const source = withReviews(
      { listComments: thread.comments.listComments, getComment: thread.reader.getComment },
      {
        review: overhearReviews(review, async (comments) => void heard.push(...comments.map(({ id }) => id))),
        settings: { include_review_comments: reviews, include_checks: checks },
        reader: thread.reader,
        ownAccount: await platform.identity.whoAmI(),
        logger,
      },
    );
    return { source, heard, close: () => review?.close() };
  };
  const say = () => {
    const ids = [
      platform.people.comment(key, { author: 'alice', body: 'Hello.' }),
      platform.reviewers.commentOnLine(key, { author: 'alice', body: 'Why?', path: 'a.txt', line: 1 }),
      platform.reviewers.review(key, { author: 'alice', state: 'changes-requested', body: 'Not yet.' }),
    ];
    time += 1_000;
    platform.reviewers.check(key, { name: 'build', conclusion: 'failure', log: 'no such file' });
    return ids;
  };
  return { platform, key, open, say, requests, warned };
}

const kinds = (comments: readonly { readonly subject: { readonly kind: string } | null }[]) =>
  comments.map(({ subject }) => subject?.kind ?? 'conversation').sort();

describe('withReviews', () => {
  it('hears reviews and checks of a change request that the agent opened, by default [NX-186]', async () => {
    const { open, say } = createWorld('agent');
    const [conversation = '', line = '', review = ''] = say();
    const { source, heard, close } = await open('own', 'own');
    const { comments, complete } = await source.listComments({ since: null });
    expect(kinds(comments)).toEqual(['check', 'conversation', 'line', 'review']);
    expect(complete).toBe(true);
    expect(heard).toContain(line);
    for (const id of [conversation, line, review]) expect((await source.getComment?.(id))?.id).toBe(id);
    close();
  });

  it('hears the conversation alone of what others opened, and asks for nothing else [NX-186]', async () => {
    const { open, say, requests } = createWorld('alice');
    say();
    const { source } = await open('own', 'own');
    expect(kinds((await source.listComments({ since: null })).comments)).toEqual(['conversation']);
    expect(requests).toEqual([]);
  });

  it('hears what the configuration says, whoever opened it [NX-186]', async () => {
    const { open, say } = createWorld('alice');
    say();
    const { source: checks } = await open(false, true);
    expect(kinds((await checks.listComments({ since: null })).comments)).toEqual(['check', 'conversation']);
    const { source: reviews } = await open(true, false);
    expect(kinds((await reviews.listComments({ since: null })).comments)).toEqual([
      'conversation',
      'line',
      'review',
    ]);
  });

  it('leaves checks out, and says so once, where the credential may not read them [NX-186]', async () => {
    const { open, say, platform, warned } = createWorld('agent');
    say();
    const error = new PlatformError('The token lacks checks: read.', { code: 'forbidden' });
    platform.failNext({ operation: 'listChecks', error, times: 2 });
    const { source } = await open('own', 'own');
    const first = await source.listComments({ since: null });
    expect(kinds(first.comments)).toEqual(['conversation', 'line', 'review']);
    await source.listComments({ since: first.cursor });
    expect(warned).toEqual(['checks']);
  });

  it('is nothing to an issue [NX-186]', () => {
    const { platform } = createWorld('agent');
    const issue = platform.people.openIssue({ author: 'alice', title: 'Sum' });
    const openSource = createCommentFeeds({}).openOn(platform);
    expect(openReviewSources({ platform, openSource }, { key: issue })).toBeNull();
  });
});

it.each([
  ['approved', true],
  ['dismissed', true],
  ['changes-requested', false],
  ['commented', false],
])('a review that is %s asks for nothing: %s [NX-220]', (state, expected) => {
  expect(asksForNothing({ kind: 'review', state })).toBe(expected);
  expect(asksForNothing(null)).toBe(false);
});
