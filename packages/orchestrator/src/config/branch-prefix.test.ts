import { describe, expect, it } from 'vitest';
import { branchPrefixSchema, findBlockingBranch } from './branch-prefix.ts';

describe('branchPrefixSchema', () => {
  it.each(['agent', 'bots/agent', 'ai_1.x', 'a-b/c.d'])('accepts %s', (prefix) => {
    expect(branchPrefixSchema.parse(prefix)).toBe(prefix);
  });

  it.each([
    '',
    'agent/',
    '/agent',
    'a//b',
    '-agent',
    'a..b',
    'a.lock',
    'a.lock/b',
    'a b',
    'a~1',
    'refs@{1',
    '.a',
  ])('refuses "%s"', (prefix) => {
    expect(branchPrefixSchema.safeParse(prefix).success).toBe(false);
  });
});

describe('findBlockingBranch', () => {
  it('finds a branch that is a parent of the prefix or the prefix itself', () => {
    expect(findBlockingBranch(['main', 'bots'], 'bots/agent')).toBe('bots');
    expect(findBlockingBranch(['main', 'bots/agent'], 'bots/agent')).toBe('bots/agent');
    expect(findBlockingBranch(['main', 'bots/agent/issue-1-x', 'bot'], 'bots/agent')).toBeNull();
  });
});
