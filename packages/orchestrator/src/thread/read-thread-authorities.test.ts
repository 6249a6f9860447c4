import type { Account, Comment, Thread } from '@agent/platforms';
import { toConversationContext } from '@agent/thread-context';
import { expect, it } from 'vitest';
import { readThreadAuthorities } from './text-guard.ts';

const alice: Account = { id: '1', login: 'alice', kind: 'person' };
const bob: Account = { id: '2', login: 'bob', kind: 'person' };
const robot: Account = { id: '5', login: 'robot', kind: 'bot' };
const guard = {
  authorityOf: async (account: Account | null) =>
    account?.login === 'alice' ? ('trusted' as const) : ('untrusted' as const),
};

function makeThread(author: Account, changeRequest: object | null): Thread {
  const time = '2026-01-01T00:00:00Z';
  const texts = { id: '9', number: 7, title: 'T', body: 'B', createdAt: time, updatedAt: time };
  return { ...texts, author, labels: [], changeRequest } as unknown as Thread;
}

async function judge(thread: Thread, ownAccount: Account): Promise<readonly string[]> {
  const say = (id: string, author: Account, body: string): Comment => ({
    id,
    author,
    body,
    createdAt: `2026-01-01T0${id}:00:00Z`,
    updatedAt: null,
    url: null,
    visibility: 'public',
    subject: null,
  });
  const comments = [say('1', alice, 'a'), say('2', bob, 'b'), say('3', robot, 'c')];
  const context = toConversationContext(thread, comments, { ownAccount });
  const authorityOf = await readThreadAuthorities(context, { thread, comments, ownAccount, guard });
  return context.conversation.map(authorityOf);
}

it('takes no words of the agent for instructions, be they a comment or its own pull request [NX-23]', async () => {
  expect(await judge(makeThread(alice, null), robot)).toEqual(['trusted', 'trusted', 'untrusted', 'own']);
  expect(await judge(makeThread(robot, {}), robot)).toEqual(['own', 'trusted', 'untrusted', 'own']);
  expect(await judge(makeThread(robot, null), robot)).toEqual(['own', 'trusted', 'untrusted', 'own']);
});

it("takes a pull request by the person whose token is used for the agent's draft, an issue for that person's words [NX-23]", async () => {
  const [draft] = await judge(makeThread(alice, {}), alice);
  const [issue] = await judge(makeThread(alice, null), alice);
  expect([draft, issue]).toEqual(['own', 'trusted']);
});
