import { describe, expect, it } from 'vitest';
import { formatReport, formatTable, toVerdict } from './format-report.ts';

describe('formatTable', () => {
  it('puts names to the left and figures to the right', () => {
    const table = {
      caption: 'Times',
      columns: ['what', 'ms', 'note'],
      rows: [
        ['empty Node', 28.25, 'the limit'],
        ['daemon', 113, ''],
      ],
    };
    expect(formatTable(table)).toMatchInlineSnapshot(`
      "Times

      what          ms  note
      ----------  ----  ---------
      empty Node  28.3  the limit
      daemon       113"
    `);
  });
});

describe('formatReport', () => {
  it('says of every goal whether it is met', () => {
    const goals = [
      { name: 'help', measured: 41.04, atMost: 45, unit: 'ms' },
      { name: 'ready', measured: 151, atMost: 150, unit: 'ms' },
      { name: 'faster', measured: 301, atLeast: 300, unit: 'x' },
    ];
    const text = formatReport({ title: 'start', tables: [], goals, notes: ['a busy machine'] });
    expect(text).toMatch(/help +41\.0 ms +at most 45 ms +met/);
    expect(text).toMatch(/ready +151 ms +at most 150 ms +missed/);
    expect(text).toMatch(/faster +301 x +at least 300 x +met/);
    expect(text).toContain('- a busy machine');
  });

  it('counts a figure at the limit as met', () => {
    expect(toVerdict({ measured: 45, atMost: 45 })).toBe('met');
    expect(toVerdict({ measured: 45.1, atMost: 45 })).toBe('missed');
    expect(toVerdict({ measured: 300, atLeast: 300 })).toBe('met');
    expect(toVerdict({ measured: 299, atLeast: 300 })).toBe('missed');
  });
});
