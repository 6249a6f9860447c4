import { createMemoryPlatform } from '@agent/platforms/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBranch, toSlug } from './choose-branch.ts';

function setUp() {
  const platform = createMemoryPlatform();
  const key = platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
  const { changeRequests } = platform.openThread(key);
  if (changeRequests === null) throw new Error('the memory platform has change requests');
  const pushBranch = (name: string): void =>
    platform.people.pushBranch('octo/hello', { name, files: { [name]: 'changed' } });
  return { platform, changeRequests, pushBranch };
}

const subject = { prefix: 'agent', number: 7, title: 'Fix: the TOTAL is wrong!' };

describe('chooseBranch', () => {
  it('names the branch after the issue', async () => {
    const { changeRequests } = setUp();
    expect(await chooseBranch(changeRequests, subject)).toBe('agent/issue-7-fix-the-total-is-wrong');
  });

  it('goes on with a branch that an earlier run left without a pull request, whatever the title is now', async () => {
    const { changeRequests, pushBranch } = setUp();
    pushBranch('agent/issue-7-old-title');
    pushBranch('agent/issue-70-another');
    expect(await chooseBranch(changeRequests, subject)).toBe('agent/issue-7-old-title');
  });

  it('goes on with the branch of an open pull request, and suffixes one that is closed [X15]', async () => {
    const { changeRequests, platform, pushBranch } = setUp();
    const first = await chooseBranch(changeRequests, subject);
    pushBranch(first);
    const draft = { headBranch: first, baseBranch: 'main', title: 't', body: 'b', joinBody: () => 'b' };
    const { number } = await changeRequests.ensureDraft(draft);
    expect(await chooseBranch(changeRequests, subject)).toBe(first);
    platform.people.closeThread({ type: 'github_pull_request', owner: 'octo', repo: 'hello', number });
    expect(await chooseBranch(changeRequests, subject)).toBe(`${first}-2`);
  });
});

describe('a branch that blocks the prefix', () => {
  it.each([
    ['agent', ['agent'], 'agent-issue-7-fix-the-total-is-wrong'],
    ['bots/agent', ['bots'], 'bots-agent-issue-7-fix-the-total-is-wrong'],
    ['bots/agent', ['bots/agent'], 'bots-agent-issue-7-fix-the-total-is-wrong'],
    ['bots/agent', ['bots-agent', 'botsy'], 'bots/agent/issue-7-fix-the-total-is-wrong'],
    ['agent', ['agents', 'agent-7', 'agent/other'], 'agent/issue-7-fix-the-total-is-wrong'],
    ['agent', ['agent/issue-7-fix-the-total-is-wrong/part'], 'agent/issue-7-fix-the-total-is-wrong-2'],
    [
      'agent',
      ['agent', 'agent-issue-7-fix-the-total-is-wrong/part'],
      'agent-issue-7-fix-the-total-is-wrong-2',
    ],
  ])('is avoided: prefix %s beside %s gives %s', async (prefix, branches, expected) => {
    const { changeRequests, pushBranch } = setUp();
    for (const name of branches) pushBranch(name);
    expect(await chooseBranch(changeRequests, { ...subject, prefix })).toBe(expected);
  });

  it('does not hide the branch of an earlier run after it was deleted', async () => {
    const { changeRequests, pushBranch } = setUp();
    pushBranch('agent-issue-7-old-title');
    expect(await chooseBranch(changeRequests, subject)).toBe('agent-issue-7-old-title');
  });
});

describe('toSlug', () => {
  it('gives a name that git takes, for any title', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 8, max: 60 }),
        (title, maxChars) => {
          const slug = toSlug(title, maxChars);
          expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(slug.length).toBeLessThanOrEqual(maxChars);
        },
      ),
    );
  });

  it('cuts between words, keeps a single long one in part, and says task where nothing can be kept', () => {
    expect(toSlug('one two three', 8)).toBe('one-two');
    expect(toSlug('x'.repeat(50), 10)).toBe('x'.repeat(10));
    expect(toSlug('合計が間違っている 🎉', 30)).toBe('task');
    expect(toSlug('Ünïcode ẞtraße', 30)).toBe('unicode-tra-e');
  });
});
