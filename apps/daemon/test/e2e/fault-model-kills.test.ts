// @module-tag full
import { describe, expect, it } from 'vitest';
import { failIn, isOf, listCells, playCell, simulatorOf } from '../support/fault-cells.ts';
import { sampleOf } from '../support/samples.ts';
import { until } from '../support/until.ts';

/** When a write acts whose daemon is killed: never, before the kill, or after another daemon has started. */
type Kill = 'never' | 'before' | 'later';

/** Longer than a run takes, and than a start. */
const delays = { never: 1_000_000, later: 2_000 } as const;

const kills: Readonly<Record<string, Kill>> = {
  'a kill before the write acts': 'never',
  'a kill after the write acted': 'before',
  'a kill before the write acts, which it does later': 'later',
};

describe('a run', () => {
  it.for(sampleOf(listCells({ github: kills, gitlab: kills }), ({ fault }) => fault === 'before'))(
    'on $forge that meets $row at $name is continued by the next daemon, and ends with everything once',
    { timeout: 240_000, concurrent: true },
    async (cell, { onTestFinished }) => {
      const { write, fault } = cell;
      let isArmed = false;
      const { output } = await playCell(cell, {
        meet: async (story) => {
          isArmed = fault === 'before';
          if (isArmed) return;
          const { requests } = simulatorOf(story.world.forge);
          const earlier = requests.length;
          failIn(story.world, {
            write,
            fault: { kind: 'slow', delayMs: delays[fault as 'never' | 'later'] },
          });
          const isSent = () => requests.slice(earlier).some((request) => isOf(write, request));
          void until('the write is sent', isSent, { timeoutMs: 100_000 }).then(story.restart);
        },
        onRequest: async (request, story) => {
          const [method = '', path = ''] = request.split(' ');
          if (!isArmed || !isOf(write, { method, path })) return;
          isArmed = false;
          await story.restart();
        },
        onTestFinished,
      });
      expect(output().match(/"msg":"ready"/g)).toHaveLength(2);
    },
  );
});
