import { describe, expect, it } from 'vitest';
import { TestThread } from '../../test/thread-setup.ts';
import { CommentSteering } from './comment-steering.ts';

describe('CommentSteering', () => {
  it('offers again what a call that broke off could not take [CD-48]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    await manager.initialize();
    const offered: string[] = [];
    const steering = {
      steer: async (text: string) => {
        offered.push(text);
        throw new Error('The call is over.');
      },
    };
    const rules = { maxWaitMs: 0, maxRounds: 5, sleep: async () => undefined };
    const commentSteering = new CommentSteering({
      manager,
      steering,
      rules: { ...rules, onDelivered: undefined, onError: undefined },
    });
    thread.pass();
    thread.say('1');
    await commentSteering.beforeFirstStep();
    await commentSteering.afterStep({ finishReason: 'stop', toolCalls: [] });
    expect(manager.listUndelivered()).toHaveLength(1);
    expect(offered).toEqual(['[New Comment from @alice]:\ntext 1', '[New Comment from @alice]:\ntext 1']);
  });

  it('says once of a call that its comments were left out, and not before they were [NX-50]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    await manager.initialize();
    const told: unknown[] = [];
    const commentSteering = new CommentSteering({
      manager,
      steering: {
        steer: async () =>
          ({
            type: 'not-delivered',
            id: '1',
            message: { role: 'user', content: '' },
            reason: 'removed-by-prepare-step',
          }) as const,
      },
      rules: {
        ...{ maxWaitMs: 0, maxRounds: 5, sleep: async () => undefined, onDelivered: undefined },
        onError: (error) => void told.push(error),
      },
    });
    thread.pass();
    thread.say('1');
    await commentSteering.beforeFirstStep();
    expect(told).toEqual([]);
    for (let step = 0; step < 3; step += 1)
      await commentSteering.afterStep({ finishReason: 'stop', toolCalls: [] });
    expect(told).toMatchObject([{ code: 'left-out' }]);
  });

  it('tells of a first look that failed, and takes no other for it [NX-50]', async () => {
    const thread = new TestThread();
    thread.answers.push(Object.assign(new Error('refused'), { status: 401 }));
    const told: unknown[] = [];
    const commentSteering = new CommentSteering({
      manager: thread.manager(),
      steering: { steer: () => Promise.reject(new Error('nothing to say')) },
      rules: {
        ...{ maxWaitMs: 0, maxRounds: 5, sleep: async () => undefined, onDelivered: undefined },
        onError: (error) => {
          told.push(error);
          return 'go-on';
        },
      },
    });
    await commentSteering.beforeFirstStep();
    expect(told).toMatchObject([{ code: 'look-failed', isPermanent: true }]);
    expect(thread.looks).toHaveLength(1);
  });

  it('takes what stood there at its first look for told, and looks once a step from then on', async () => {
    const thread = new TestThread();
    const manager = thread.manager({ checkInterval: 2 });
    thread.pass();
    thread.say('1');
    const offered: unknown[] = [];
    const commentSteering = new CommentSteering({
      manager,
      steering: { steer: (text) => Promise.reject(new Error(`${offered.push(text)}`)) },
      rules: {
        ...{ maxWaitMs: 0, maxRounds: 5, sleep: async () => undefined },
        ...{ onDelivered: undefined, onError: undefined },
      },
    });
    await commentSteering.startListening();
    for (let step = 0; step < 3; step += 1) {
      await commentSteering.beforeFirstStep();
      thread.pass();
    }
    expect(offered).toEqual([]);
    expect(thread.looks).toHaveLength(2);
  });
});
