import { emptyBoard, reduceBoard } from '@agent/orchestrator';
import { describe, expect, it } from 'vitest';
import { formatOpenMetrics, toMetrics } from './to-metrics.ts';

describe('formatOpenMetrics', () => {
  it('writes type, help and samples of a family, counters with their suffix, and ends with EOF', () => {
    const text = formatOpenMetrics([
      { name: 'runs', type: 'counter', help: 'Runs.', samples: [{ value: 2 }] },
      { name: 'tasks', type: 'gauge', help: 'Tasks.', samples: [{ labels: { state: 'running' }, value: 1 }] },
      { name: 'none', type: 'gauge', help: 'None.', samples: [] },
    ]);
    expect(text).toBe(
      [
        '# TYPE runs counter',
        '# HELP runs Runs.',
        'runs_total 2',
        '# TYPE tasks gauge',
        '# HELP tasks Tasks.',
        'tasks{state="running"} 1',
        '# EOF',
        '',
      ].join('\n'),
    );
  });

  it('escapes what a label may not hold', () => {
    const text = formatOpenMetrics([
      { name: 'x', type: 'gauge', help: 'a\nb', samples: [{ labels: { platform: 'a"b\\c\nd' }, value: 1 }] },
    ]);
    expect(text).toContain('x{platform="a\\"b\\\\c\\nd"} 1');
    expect(text).toContain('# HELP x a\\nb');
  });
});

describe('toMetrics', () => {
  const measured = {
    board: emptyBoard,
    queued: 2,
    heldBackMs: 0,
    startedAt: 5_000,
    memory: { rss: 10, heapUsed: 5 },
  };

  it('leaves out a number that could not be found, rather than showing none', () => {
    expect(formatOpenMetrics(toMetrics({ ...measured, paused: null }))).not.toContain('state="paused"');
    expect(formatOpenMetrics(toMetrics({ ...measured, paused: 3 }))).toContain('{state="paused"} 3');
  });

  it('tells how often runs take over earlier ones, how much and how far back [CI-71] [CI-72] [CI-73]', () => {
    const started = {
      type: 'task-begin',
      task: { uuid: 'u', name: 'n', title: 't', url: 'x' },
      resumed: false,
    } as const;
    const events = [
      started,
      started,
      started,
      started,
      { type: 'inheritance', depth: 1, tokens: 700 },
      { type: 'inheritance', depth: 4, tokens: 20_000 },
    ] as const;
    const board = events.reduce((before, event) => reduceBoard(before, event, 0), emptyBoard);
    const text = formatOpenMetrics(toMetrics({ ...measured, board, paused: 0 }));
    expect(text).toContain('agent_daemon_runs_inheriting_total 2\n');
    expect(text).toContain('agent_daemon_inheritance_ratio 0.5\n');
    expect(text.split('\n').filter((line) => line.startsWith('agent_daemon_inherited_tokens_'))).toEqual([
      'agent_daemon_inherited_tokens_bucket{le="500.0"} 0',
      'agent_daemon_inherited_tokens_bucket{le="1000.0"} 1',
      'agent_daemon_inherited_tokens_bucket{le="2000.0"} 1',
      'agent_daemon_inherited_tokens_bucket{le="4000.0"} 1',
      'agent_daemon_inherited_tokens_bucket{le="8000.0"} 1',
      'agent_daemon_inherited_tokens_bucket{le="16000.0"} 1',
      'agent_daemon_inherited_tokens_bucket{le="+Inf"} 2',
      'agent_daemon_inherited_tokens_count 2',
      'agent_daemon_inherited_tokens_sum 20700',
    ]);
    expect(text).toContain('agent_daemon_inheritance_depth_bucket{le="3.0"} 1\n');
    expect(text).toContain('agent_daemon_inheritance_depth_bucket{le="5.0"} 2\n');
  });

  it('keeps to the grammar of OpenMetrics', () => {
    const lines = formatOpenMetrics(toMetrics({ ...measured, paused: 0 })).split('\n');
    const grammar =
      /^(?:# (?:TYPE [a-z_]+ (?:counter|gauge|histogram)|HELP [a-z_]+ .+|EOF)|[a-z_]+(?:\{[a-z_]+="[^"\n]*"\})? -?\d+(?:\.\d+)?)$/;
    for (const line of lines.slice(0, -1)) expect(line).toMatch(grammar);
    expect(lines.at(-2)).toBe('# EOF');
  });
});
