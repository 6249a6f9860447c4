import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog } from '../test/log.ts';
import type { RunSignal, RunSignals } from './ports.ts';
import { combineSignals, strongestSignal, withCheckInterval } from './run-signals.ts';

const saying = (signal: RunSignal): RunSignals & { asked: number } => {
  const source = {
    asked: 0,
    read: async () => {
      source.asked += 1;
      return signal;
    },
  };
  return source;
};
const failing: RunSignals = { read: () => Promise.reject(new Error('down')) };

describe('strongestSignal', () => {
  it('lets a pause win over a stop, and a stop over nothing, in any order [RL-2]', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<RunSignal>('none', 'pause', 'stop')), (signals) => {
        const expected = ['pause', 'stop', 'none'].find((name) => [...signals, 'none'].includes(name));
        expect(strongestSignal(signals)).toBe(expected);
      }),
    );
  });
});

describe('combineSignals', () => {
  it('says what the strongest of its sources says [RL-2]', async () => {
    expect(await combineSignals([]).read({})).toBe('none');
    expect(await combineSignals([saying('none'), saying('stop')]).read({})).toBe('stop');
    expect(await combineSignals([saying('stop'), saying('pause')]).read({})).toBe('pause');
  });

  it('rejects if a source has a programming error [NX-418]', async () => {
    const defect = { read: async () => (undefined as unknown as { read: () => RunSignal }).read() };
    await expect(combineSignals([failing, defect]).read({})).rejects.toThrow(TypeError);
  });

  it('asks no further source after a pause [RL-2]', async () => {
    const api = saying('stop');
    expect(await combineSignals([saying('pause'), api]).read({})).toBe('pause');
    expect(api.asked).toBe(0);
  });

  it('hears the others when one of them fails, and says that it failed [RL-2, RL-3]', async () => {
    const log = createLog();
    expect(await combineSignals([failing, saying('stop')], log).read({})).toBe('stop');
    expect(await combineSignals([saying('stop'), failing], log).read({})).toBe('stop');
    expect(await combineSignals([failing], log).read({})).toBe('none');
    expect(log.lines.map(({ fields }) => fields)).toMatchObject([
      { source: 0 },
      { source: 1 },
      { source: 0 },
    ]);
  });

  it('ends with an abort instead of taking it for silence', async () => {
    const signal = AbortSignal.abort();
    await expect(combineSignals([failing]).read({ signal })).rejects.toThrow('down');
  });
});

describe('withCheckInterval', () => {
  it('asks at every checkpoint when nothing else is said [RL-3]', async () => {
    const source = saying('stop');
    const signals = withCheckInterval(source);
    expect(await Promise.all([1, 2, 3].map(() => signals.read({})))).toEqual(['stop', 'stop', 'stop']);
    expect(source.asked).toBe(3);
  });

  it('asks at the first checkpoint and then at every n-th [RL-3]', async () => {
    const signals = withCheckInterval(saying('stop'), { everyNthCall: 3 });
    const answers: RunSignal[] = [];
    for (let call = 0; call < 7; call += 1) answers.push(await signals.read({}));
    expect(answers).toEqual(['stop', 'none', 'none', 'stop', 'none', 'none', 'stop']);
  });

  it('never asks when the interval is 0 [RL-3]', async () => {
    const source = saying('stop');
    expect(await withCheckInterval(source, { everyNthCall: 0 }).read({})).toBe('none');
    expect(source.asked).toBe(0);
  });

  it('asks before its time after a notification', async () => {
    const notified = [false, false, true, false];
    const isNotified = () => notified.shift() === true;
    const signals = withCheckInterval(saying('stop'), { minIntervalMs: 30_000, isNotified, now: () => 0 });
    const answers: RunSignal[] = [];
    for (let call = 0; call < 4; call += 1) answers.push(await signals.read({}));
    expect(answers).toEqual(['stop', 'none', 'stop', 'none']);
  });

  it('leaves the time between two questions that it must, whatever they brought [RL-3]', async () => {
    let time = 1_000;
    let asked = 0;
    const source: RunSignals = {
      read: async () => {
        asked += 1;
        if (asked === 1) throw new Error('down');
        return 'stop';
      },
    };
    const signals = withCheckInterval(source, { minIntervalMs: 30_000, now: () => time });
    await expect(signals.read({})).rejects.toThrow('down');
    time += 29_999;
    expect(await signals.read({})).toBe('none');
    time += 1;
    expect(await signals.read({})).toBe('stop');
    expect(asked).toBe(2);
  });
});
