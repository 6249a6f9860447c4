import { describe, expect, it } from 'vitest';
import { toConversationRole } from './conversation.ts';
import type { NormalizedComment } from './normalize.ts';

function by(author: string, authorId: string | null = null, body = ''): NormalizedComment {
  return { id: 1, author, authorId, body, createdAt: '2026-01-01T00:00:00Z' };
}

describe('toConversationRole', () => {
  it('makes our own account the assistant and every other person a user [CC-12] [A1]', () => {
    const rule = { ownAccount: { id: '5', login: 'robot' } };
    expect(toConversationRole(by('robot', '5'), rule)).toBe('assistant');
    expect(toConversationRole(by('alice', '1'), rule)).toBe('user');
    expect(toConversationRole(by('ghost'), rule)).toBe('user');
  });

  it('goes by the account number before the name, so that a renamed account is still known [CC-12]', () => {
    const rule = { ownAccount: { id: '5', login: 'robot' } };
    expect(toConversationRole(by('robot-renamed', '5'), rule)).toBe('assistant');
    expect(toConversationRole(by('robot', '6'), rule)).toBe('user');
  });

  it.each([5, '5'])('takes the number of our account as a number and as text: %o [CC-12]', (id) => {
    const rule = { ownAccount: { id, login: 'robot' } };
    expect(toConversationRole(by('robot-renamed', '5'), rule)).toBe('assistant');
    expect(toConversationRole(by('robot', '6'), rule)).toBe('user');
  });

  it('goes by the name without case and "[bot]" where a number is missing or opaque [CC-12]', () => {
    const rule = { ownAccount: { id: '5', login: 'Robot[bot]' } };
    expect(toConversationRole(by('robot'), rule)).toBe('assistant');
    expect(toConversationRole(by('robot', 'BOT_kgDO'), rule)).toBe('assistant');
    expect(toConversationRole(by('robot2'), rule)).toBe('user');
  });

  it('makes everybody a user while our account is unknown [CC-12]', () => {
    expect(toConversationRole(by('robot', '5'), { ownAccount: null })).toBe('user');
  });

  it('tells the agent from the person where they share an account, and asks about that account only [CC-12]', () => {
    const isOwnComment = (comment: NormalizedComment) => comment.body.includes('marker');
    const rule = { ownAccount: { id: '5', login: 'alice' }, isOwnComment };
    expect(toConversationRole(by('alice', '5', 'marker'), rule)).toBe('assistant');
    expect(toConversationRole(by('alice', '5', 'please'), rule)).toBe('user');
    expect(toConversationRole(by('mallory', '9', 'marker'), rule)).toBe('user');
  });

  it('follows the strict rule of the seed on request: the owner is the user, all others the assistant [CC-12] [A1]', () => {
    const rule = { roleMapping: 'owner', owner: 'Alice' } as const;
    expect(toConversationRole(by('alice'), rule)).toBe('user');
    expect(toConversationRole(by('bob'), rule)).toBe('assistant');
  });
});
