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
});
