import { describe, expect, it } from 'vitest';
import { createMemoryPlatform } from '../memory/index.ts';
import { createCheckSource } from './check-source.ts';

function createWorld() {
  let time = Date.parse('2026-01-02T03:04:05Z');
  const platform = createMemoryPlatform({ now: () => new Date(time) });
  const key = platform.people.openPullRequest({ author: 'alice', title: 'Sum', headBranch: 'sum' });
  const review = platform.openReview?.(key);
  if (review == null) throw new Error('a pull request has checks');
  const check = (name: string, conclusion: 'success' | 'failure' | null, log?: string) => {
    time += 1_000;
    platform.reviewers.check(key, { name, conclusion, log });
  };
  const source = createCheckSource(review.checks, { logChars: 60 });
  const list = async (since: string | null = null) => {
    const { comments, complete, unchanged } = await source.listComments({ since });
    return {
      told: comments.map(({ id, body }) => `${id.replace(/[0-9a-f]{40}/, 'HEAD')}: ${body}`),
      complete,
      unchanged,
    };
  };
  return { ...platform, key, check, checks: review.checks, source, list };
}

describe('createCheckSource', () => {
  it('says nothing of a check that runs or passes, and one thing when all have passed [NX-182]', async () => {
    const { check, list } = createWorld();
    check('build', null);
    check('lint', 'success');
    expect(await list()).toEqual({ told: [], complete: true, unchanged: false });
    check('build', 'success');
    expect((await list()).told).toEqual([
      'check-HEAD: All checks passed on commit 00000000: "build", "lint".',
    ]);
    expect(await list()).toMatchObject({ unchanged: true });
  });

  it('tells of a failure with the end of its log, and edits that when the check ends again [NX-182]', async () => {
    const { check, list } = createWorld();
    check('build', 'failure', `${'a line of the log\n'.repeat(90)}sum.ts(3): 2 + 2 is not 5\n`);
    expect((await list()).told.join('\n')).toMatchInlineSnapshot(`
      "check-HEAD-build: The check "build" ended with "failure" on commit 00000000.

      The end of its log:

      \`\`\`
      a line of the log
      sum.ts(3): 2 + 2 is not 5
      \`\`\`"
    `);
    check('build', null);
    expect(await list()).toMatchObject({ unchanged: true });
    check('build', 'success');
    expect((await list()).told.join('\n\n')).toMatchInlineSnapshot(`
      "check-HEAD: All checks passed on commit 00000000: "build".

      check-HEAD-build: The check "build" ended with "success" in attempt 2 on commit 00000000.

      It has both failed and passed on this commit."
    `);
  });

  it('shows no part of a word that its cut goes through, wherever that is [NX-261]', async () => {
    const secret = 'plum-orchard-lane-42';
    const pads = ['', ...Array.from({ length: 90 }, (_, index) => 'x'.repeat(index))];
    for (const [before, after] of [
      ['one ', '\n'],
      ['\n', ' '],
      ['', ' '],
    ] as const)
      for (const pad of pads) {
        const { check, list } = createWorld();
        check(
          'build',
          'failure',
          `begin${before}${secret}${after}${pad}${pad.length > 0 ? '\n' : ''}the end`,
        );
        const text = (await list()).told.join('\n').replaceAll(secret, '');
        expect(text).not.toMatch(/lane|orchard|-42/);
      }
  });

  it('counts what is required alone, once anything is, and says when it passes no more [NX-182]', async () => {
    const { check, list, key, reviewers } = createWorld();
    reviewers.require(key, ['build']);
    check('nightly', 'failure');
    check('build', 'success');
    expect((await list()).told.at(-1)).toBe('check-HEAD: All checks passed on commit 00000000: "build".');
    check('build', 'failure');
    const { told } = await list();
    expect(told).toContain('check-HEAD: Not all checks pass any more on commit 00000000: "build".');
  });

  it('lists a new head alone, while what was said of an older one stands [NX-182]', async () => {
    const { check, list, key, reviewers, source, checks } = createWorld();
    check('build', 'failure', 'no such file');
    const [old] = (await source.listComments({ since: null })).comments;
    const head = reviewers.pushHead(key);
    expect(await list()).toEqual({ told: [], complete: true, unchanged: false });
    expect(await source.getComment?.(old?.id ?? '')).toEqual(old);
    // A source of another process has to ask.
    expect((await createCheckSource(checks).getComment?.(old?.id ?? ''))?.subject).toEqual(old?.subject);
    expect(await source.getComment?.(`check-${head}-build`)).toBeNull();
    expect(await source.getComment?.('17')).toBeNull();
  });
});
