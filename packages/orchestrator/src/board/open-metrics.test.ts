import { describe, expect, it } from 'vitest';
import { formatOpenMetrics } from './open-metrics.ts';

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
