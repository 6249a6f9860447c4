import { createMemoryPlatform } from '@agent/platforms/memory';
import { createMemoryRunState } from '@agent/run-store/testing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openRunComments } from '../../test/memory-outbox.ts';
import { planFact } from '../../test/plan-fact.ts';
import { createApprovals } from '../plan/approvals.ts';
import { noRejections } from '../plan/rejections.ts';
import type { Run } from '../run/run.ts';
import { createPeople } from './create-people.ts';

const repository = 'octo/hello';
const call = {};

async function setUp(locale: 'en' | 'ja' = 'en') {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    repositories: [{ path: repository, files: {}, access: { alice: 'write' } }],
  });
  const key = platform.people.openIssue({ repository, author: 'alice', title: 'x', body: 'y' });
  const opened = platform.openThread(key);
  let isTakenBack = false;
  const listReactions: NonNullable<typeof opened.reactions>['listReactions'] = async (of) =>
    isTakenBack ? [] : ((await opened.reactions?.listReactions?.(of)) ?? []);
  const ports = { ...opened, reactions: opened.reactions && { ...opened.reactions, listReactions } };
  const trust = { everyone: false, collaborators: true, isNamed: () => false };
  const state = createMemoryRunState();
  const run = {
    uuid: 'u1',
    facts: { locale },
    state,
    thread: { ports, writer: openRunComments(ports.writer), platform: { platform, trust } },
    logger: pino({ level: 'silent' }),
  } as unknown as Run;
  const people = createPeople(run, {
    runInbox: { guard: { clean: async (text: string) => text } as never, rejections: noRejections },
    approvalPhrases: ['LGTM', '承認'],
    timeZone: 'Asia/Tokyo',
    redactOutgoing: (text) => text.replaceAll('hunter2', '[REDACTED]'),
    now: () => clock.ms,
  });
  const read = async () => platform.people.commentsOn(key);
  const fact = planFact('task_1', 'task_2');
  if (fact.type !== 'plan') throw new Error('it is a plan');
  const { plan, plan_hash: planHash } = fact;
  const askApproval = (id: string) =>
    people.ask({ kind: 'approval', id, plan, planHash, version: 1, doneTaskIds: [] }, call);
  /** As the inbox does for somebody who may steer. */
  const approve = async (body = '/approve') => {
    clock.ms += 60_000;
    const commentId = platform.people.comment(key, { author: 'alice', body });
    const author = (await read()).find(({ id }) => id === commentId)?.author;
    const at = new Date(clock.ms).toISOString();
    return {
      commentId,
      kept:
        author &&
        (await createApprovals(state).record({
          by: author,
          commentId,
          at,
          words: body === '/approve' ? null : body,
        })),
    };
  };
  const unreact = () => {
    isTakenBack = true;
  };
  return { platform, key, people, read, askApproval, approve, planHash, unreact };
}

describe('the people of a thread', () => {
  it('are asked a question by one comment, in their language and time, however often it is asked [NX-124]', async () => {
    for (const [locale, heading] of [
      ['en', '## ❓ Clarification Needed (AI Decision)'],
      ['ja', '## ❓'],
    ] as const) {
      const { people, read } = await setUp(locale);
      const until = '2026-03-01T10:30:00.000Z';
      const asked = { id: 'question-1', questions: ['Is hunter2 it?'], assumptions: [], until };
      const question = { kind: 'answer' as const, ...asked };
      await people.ask(question, call);
      await people.ask(question, call);
      const comments = await read();
      expect(comments).toHaveLength(1);
      expect(comments[0]?.body).toContain(heading);
      expect(comments[0]?.body).toContain('1. Is [REDACTED] it?');
      expect(comments[0]?.body).toContain('2026-03-01 19:30:00 GMT+9');
    }
  });

  it('approve of the plan that is shown, and of no other [NX-123]', async () => {
    const { people, askApproval, approve, planHash } = await setUp();
    expect(await people.readApproval(planHash, call)).toEqual({ state: 'none' });
    await askApproval('approval-1');
    expect(await people.readApproval(planHash, call)).toEqual({ state: 'none' });
    await approve();
    expect(await people.readApproval(planHash, call)).toEqual({ state: 'given', by: 'alice', words: null });
    expect(await people.readApproval('another', call)).toEqual({ state: 'none' });
    await askApproval('approval-1');
    expect(await people.readApproval(planHash, call)).toMatchObject({ state: 'given' });
    await askApproval('approval-2');
    expect(await people.readApproval(planHash, call)).toEqual({ state: 'none' });
  });

  it('approve by a phrase as long as it is all that their comment says [NX-123]', async () => {
    const { people, askApproval, approve, planHash, platform, key } = await setUp();
    await askApproval('approval-1');
    const { commentId } = await approve('LGTM');
    expect(await people.readApproval(planHash, call)).toEqual({ state: 'given', by: 'alice', words: 'LGTM' });
    platform.people.editComment(key, commentId, 'LGTM, but leave the tests alone');
    expect(await people.readApproval(planHash, call)).toMatchObject({
      state: 'revoked',
      reason: 'withdrawn',
    });
  });

  it('approve by a reaction of a trusted user to the latest question, as long as it stands [NX-123]', async () => {
    const { people, askApproval, planHash, platform, key, read, unreact } = await setUp();
    await askApproval('approval-1');
    const react = async (author: string, index: number, name = 'done') =>
      platform.people.react(key, { commentId: (await read())[index]?.id ?? '', author, name });
    await react('eve', 0);
    await react('alice', 0, 'seen');
    expect(await people.readApproval(planHash, call)).toEqual({ state: 'none' });
    await askApproval('approval-2');
    await react('alice', 0);
    expect(await people.readApproval(planHash, call)).toEqual({ state: 'none' });
    await react('alice', 1);
    const given = { state: 'given', by: 'alice', words: '👍' };
    expect(await people.readApproval(planHash, call)).toEqual(given);
    unreact();
    expect(await people.readApproval(planHash, call)).toMatchObject({
      state: 'revoked',
      reason: 'withdrawn',
    });
    expect(await people.readApproval(planHash, call)).toEqual({ state: 'none' });
  });

  it('have approved of nothing once they may not steer any more, and their word is not taken twice [NX-123]', async () => {
    const { people, askApproval, approve, planHash, platform } = await setUp();
    await askApproval('approval-1');
    await approve();
    platform.people.grant(repository, 'alice', 'read');
    const revoked = { state: 'revoked', by: 'alice', reason: 'permission_revoked' };
    expect(await people.readApproval(planHash, call)).toEqual(revoked);
    platform.people.grant(repository, 'alice', 'write');
    expect(await people.readApproval(planHash, call)).toEqual({ state: 'none' });
  });

  it('have approved of nothing once they took the words away [NX-123]', async () => {
    for (const takeBack of ['edit', 'delete'] as const) {
      const { people, askApproval, approve, planHash, platform, key } = await setUp();
      await askApproval('approval-1');
      const { commentId } = await approve();
      if (takeBack === 'edit') platform.people.editComment(key, commentId, 'Rather not.');
      else platform.people.deleteComment(key, commentId);
      expect(await people.readApproval(planHash, call)).toMatchObject({
        state: 'revoked',
        reason: 'withdrawn',
      });
    }
  });

  it('could not be asked where the platform does not answer: that is no withdrawal [NX-123]', async () => {
    const { people, askApproval, approve, planHash, platform } = await setUp();
    await askApproval('approval-1');
    await approve();
    platform.failNext({ operation: 'accessOf', error: new Error('503') });
    await expect(people.readApproval(planHash, call)).rejects.toThrow('503');
    expect(await people.readApproval(planHash, call)).toMatchObject({ state: 'given' });
  });
});
