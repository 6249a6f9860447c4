import { describe, expect, it } from 'vitest';
import { makeNeed, makeNeeds, makeTool } from '../../test/collection-setup.ts';
import { createReadOnlyTools } from './create-read-only-tools.ts';
import { type CollectorOptions, InformationCollector } from './information-collector.ts';

const now = () => new Date('2026-11-22T10:00:00Z');

function makeCollector(
  execute: (path: string) => unknown,
  options: CollectorOptions = {},
): { collector: InformationCollector; waits: number[] } {
  const waits: number[] = [];
  const tools = createReadOnlyTools({ read: makeTool(execute), write: makeTool(execute, false) });
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  return { collector: new InformationCollector(tools, { now, sleep, ...options }), waits };
}

const fail = (message: string) => {
  throw new Error(message);
};
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('InformationCollector', () => {
  it("records what it collected, as the seed's JSON [PP-20] [PP-22] [PP-23] [PP-50]", async () => {
    const { collector } = makeCollector((path) =>
      path === 'a' ? 'one\n  two' : fail('ENOENT: no such file'),
    );
    await collector.executeCollection(makeNeeds([makeNeed('a'), makeNeed('b')]));
    expect(collector.getCollectionStatus()).toEqual({
      collection_results: [
        {
          info_id: 'a',
          status: 'collected',
          collected_data: { summary: 'one two', details: 'one\n  two' },
          assumption_made: null,
          tool_calls_used: 1,
          timestamp: '2026-11-22T10:00:00.000Z',
        },
        {
          info_id: 'b',
          status: 'failed',
          collected_data: null,
          assumption_made: null,
          tool_calls_used: 1,
          timestamp: '2026-11-22T10:00:00.000Z',
        },
      ],
      total_tool_calls: 2,
      collection_success_rate: 0.5,
    });
  });

  it('rounds the rate to two digits, and takes nothing wanted for a success [E11]', async () => {
    const { collector } = makeCollector((path) => (path === 'c' ? fail('not found') : path));
    await collector.executeCollection(makeNeeds(['a', 'b', 'c'].map((id) => makeNeed(id))));
    expect(collector.getCollectionStatus().collection_success_rate).toBe(0.67);
    await collector.executeCollection(makeNeeds([]));
    expect(collector.getCollectionStatus()).toMatchObject({
      total_tool_calls: 0,
      collection_success_rate: 1,
    });
  });

  it('tries twice more what may pass, after half a second and a second [PP-21] [PP-54] [E3]', async () => {
    let calls = 0;
    const { collector, waits } = makeCollector(() => {
      calls += 1;
      return fail('503 unavailable');
    });
    await collector.executeCollection(makeNeeds([makeNeed('a')]));
    expect([calls, waits]).toEqual([3, [500, 1_000]]);
    expect(collector.getCollectionStatus().collection_results[0]?.tool_calls_used).toBe(3);
    expect(collector.getRecords()[0]?.failure?.reason).toBe('503 unavailable');
  });

  it('never repeats what would fail again, and calls no tool that may change something [E3] [E14]', async () => {
    const called: string[] = [];
    const { collector, waits } = makeCollector((path) => {
      called.push(path);
      return fail('404 not found');
    });
    const writing = makeNeed('b', { collection_method: { tool: 'write', parameters: { path: 'b' } } });
    await collector.executeCollection(makeNeeds([makeNeed('a'), writing]));
    expect([called, waits]).toEqual([['a'], []]);
    const [, refused] = collector.getRecords();
    expect(refused?.result).toMatchObject({ status: 'failed', tool_calls_used: 0 });
  });

  it('takes eight at a time, and keeps the record in the order of the plan [PP-20]', async () => {
    let running = 0;
    let most = 0;
    const { collector } = makeCollector(async (path) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = Number(path); turn < 20; turn += 1) await later();
      running -= 1;
      return path;
    });
    const ids = Array.from({ length: 20 }, (_, index) => String(index));
    await collector.executeCollection(
      makeNeeds(
        ids.map((id) => makeNeed(id)),
        ids.toReversed(),
      ),
    );
    expect(most).toBe(8);
    expect(collector.getCollectionStatus().collection_results.map(({ info_id: id }) => id)).toEqual(
      ids.toReversed(),
    );
  });

  it('stops between items when it is told to, and goes on with what remains [E16] [PP-57] [PP-58]', async () => {
    const called: string[] = [];
    const { collector } = makeCollector((path) => called.push(path), { parallel: 1 });
    const needs = makeNeeds(['a', 'b', 'c'].map((id) => makeNeed(id)));
    const checkpoint = async () => (called.length < 2 ? 'go' : 'interrupt') as 'go' | 'interrupt';
    expect(await collector.executeCollection(needs, { checkpoint })).toBe('interrupt');
    expect(called).toEqual(['a', 'b']);
    const next = makeCollector((path) => called.push(path));
    expect(await next.collector.executeCollection(needs, { earlier: collector.getRecords() })).toBe('go');
    expect(called).toEqual(['a', 'b', 'c']);
    expect(next.collector.getCollectionStatus().collection_success_rate).toBe(1);
  });

  it('goes on with the tries that were left [PP-58]', async () => {
    let calls = 0;
    const execute = () => {
      calls += 1;
      return fail('timeout');
    };
    const first = makeCollector(execute, { maxRetriesPerTool: 0 }).collector;
    const needs = makeNeeds([makeNeed('a')]);
    await first.executeCollection(needs);
    await makeCollector(execute).collector.executeCollection(needs, { earlier: first.getRecords() });
    expect(calls).toBe(3);
  });

  it('keeps long details elsewhere, and their beginning in the record [E15]', async () => {
    const saved: Record<string, string> = {};
    const details = { save: async (id: string, text: string) => void Object.assign(saved, { [id]: text }) };
    const long = '🙂'.repeat(15_000);
    const { collector } = makeCollector(() => long, { details });
    await collector.executeCollection(makeNeeds([makeNeed('a')]));
    expect(saved).toEqual({ a: long });
    const data = collector.getCollectionStatus().collection_results[0]?.collected_data;
    expect(data?.details.length).toBeLessThanOrEqual(20_000);
    expect(data?.summary.length).toBeLessThanOrEqual(500);
    expect(data?.details.isWellFormed()).toBe(true);
  });

  it('reads 50 MB without keeping them, and goes on when a detail cannot be saved [E15]', async () => {
    const sizes: number[] = [];
    const details = {
      save: (_: string, text: string) => {
        sizes.push(text.length);
        return Promise.reject(new Error('disk full'));
      },
    };
    const warned: string[] = [];
    const warn = (_: object, message: string) => void warned.push(message);
    const logger = { debug: warn, info: warn, warn, error: warn };
    const { collector } = makeCollector(() => 'a'.repeat(50_000_000), { details, logger });
    await collector.executeCollection(makeNeeds([makeNeed('a')]));
    expect(JSON.stringify(collector.getRecords()).length).toBeLessThan(25_000);
    expect([warned.length, sizes]).toEqual([1, [2_000_000]]);
  });

  it('takes secrets out of outputs and reasons', async () => {
    const hideKnownSecrets = (text: string) => text.replaceAll('hunter2', '***');
    const { collector } = makeCollector((path) => (path === 'a' ? 'is hunter2' : fail('invalid hunter2')), {
      hideKnownSecrets,
    });
    await collector.executeCollection(makeNeeds([makeNeed('a'), makeNeed('b')]));
    expect(JSON.stringify(collector.getRecords())).not.toContain('hunter2');
  });

  it('ends the collection when a record cannot be kept', async () => {
    const { collector } = makeCollector((path) => path);
    const onRecord = () => Promise.reject(new Error('disk full'));
    const run = collector.executeCollection(makeNeeds([makeNeed('a'), makeNeed('b')]), { onRecord });
    await expect(run).rejects.toThrow('disk full');
  });
});
