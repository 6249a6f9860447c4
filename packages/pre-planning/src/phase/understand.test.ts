import type { ModelReaction } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type Phase, sampleAnswers, startPhase } from '../../test/phase-setup.ts';
import { sampleRequest as request } from '../../test/sample-request.ts';
import type { CheckpointAnswer } from './phase-parts.ts';

const thanks = { author: 'passer-by', createdAt: '2026-11-22T11:00:00Z', body: 'Thanks!', isTrusted: false };

describe('an understanding', () => {
  let phase: Phase;
  afterEach(() => phase.server.close());

  /** Somebody says thanks once the plan is made; the model is asked anew, and fails in this manner. */
  async function understandAnew(failure: ModelReaction) {
    phase = await startPhase((asked, count) =>
      asked === 'understanding' && count > 1 ? failure : sampleAnswers[asked],
    );
    const warned: string[] = [];
    const warn = (_: object, message: string) => void warned.push(message);
    const logger = { debug: () => undefined, info: () => undefined, warn, error: warn };
    const news: CheckpointAnswer[] = [];
    const checkpoint = async (): Promise<CheckpointAnswer> => {
      if (phase.asked.length === 2 && news.length === 0) news.push({ newComments: [thanks] }, 'go');
      return news.shift() ?? 'go';
    };
    const manager = phase.createManager({ logger });
    return { outcome: await manager.execute({ request, checkpoint }), warned, manager };
  }

  it.each([
    [{ kind: 'refuse', status: 503 } as const, 'failed to update understanding'],
    [{ kind: 'say', text: 'You are welcome.' } as const, 'received unusable understanding'],
  ])(
    'stands where what was said since costs the model its answer, and the phase goes on: %j [PP-58]',
    async (failure, warning) => {
      const { outcome, warned, manager } = await understandAnew(failure);
      expect(outcome).toMatchObject({
        status: 'done',
        result: {
          request_understanding: { task_type: 'バグ修正' },
          collected_information: { codebase: { a: 'const total = 1;' } },
          assumptions: [{ label: 'A1' }, { label: 'A2' }],
        },
      });
      expect(warned.join()).toContain(`${warning}`);
      expect(manager.getState()).toMatchObject({ new_comments: [thanks], understood_comments: 1 });
      // It is told once: nothing new was understood.
      expect(phase.events.filter(({ type }) => type === 'understanding-end')).toHaveLength(1);
      expect(phase.events.at(-1)?.type).toBe('collection-end');
    },
  );

  it('is not invented where there was none and the model cannot be asked', async () => {
    phase = await startPhase(() => ({ kind: 'refuse', status: 503 }));
    const manager = phase.createManager();
    await expect(manager.execute({ request })).rejects.toMatchObject({ code: 'model-unavailable' });
    expect(manager.getState().understanding_result).toBeNull();
  });
});
