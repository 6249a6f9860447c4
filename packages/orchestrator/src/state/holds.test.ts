import { describe, expect, it } from 'vitest';
import type { HoldState } from './hold.ts';
import { Holds } from './holds.ts';

function openHolds() {
  const clock = { ms: 1_000 };
  const lines: (readonly [string, object, string])[] = [];
  const logger = {
    warn: (fields: object, message: string) => void lines.push(['warn', fields, message]),
    info: (fields: object, message: string) => void lines.push(['info', fields, message]),
  };
  const shown: (readonly HoldState[])[] = [];
  const onChange = (holds: readonly HoldState[]) => void shown.push(holds);
  return {
    clock,
    lines,
    shown,
    holds: new Holds({ now: () => clock.ms, logger: logger as never, onChange }),
  };
}

describe('Holds', () => {
  it('keeps all causes, each with its start, whatever is reported again', () => {
    const { holds, clock } = openHolds();
    holds.report({ cause: 'content_writes', scope: 'github.com', until: 9_000 });
    clock.ms = 2_000;
    holds.report({ cause: 'money_repository', reason: '5 USD' });
    clock.ms = 3_000;
    holds.report({ cause: 'content_writes', scope: 'github.com', until: 10_000 });
    holds.report({ cause: 'content_writes', scope: 'gitlab.com', until: 4_000 });
    const of = { by: null, reason: null };
    expect(holds.list()).toEqual([
      { cause: 'content_writes', scope: 'github.com', since: 1_000, until: 10_000, ...of },
      { cause: 'money_repository', scope: null, since: 2_000, until: null, by: null, reason: '5 USD' },
      { cause: 'content_writes', scope: 'gitlab.com', since: 3_000, until: 4_000, ...of },
    ]);
  });

  it('writes one line at the start of an episode and one at its end, with its duration', () => {
    const { holds, clock, lines } = openHolds();
    for (const until of [5_000, 6_000, 7_000])
      holds.report({ cause: 'requests_primary', scope: 'github.com', until });
    holds.clear('money_repository');
    clock.ms = 6_500;
    holds.clear('requests_primary', 'github.com');
    holds.clear('requests_primary', 'github.com');
    const scope = 'github.com';
    expect(lines).toEqual([
      [
        'warn',
        {
          ...{ cause: 'requests_primary', scope, by: null, reason: null },
          ...{ since: '1970-01-01T00:00:01.000Z', until: '1970-01-01T00:00:05.000Z' },
        },
        'not starting tasks',
      ],
      ['info', { cause: 'requests_primary', scope, durationMs: 5_500 }, 'starting tasks again'],
    ]);
  });

  it('shows the list whenever it changes', () => {
    const { holds, shown } = openHolds();
    const report = { cause: 'content_writes', scope: 'github.com', until: 9_000 } as const;
    for (let times = 0; times < 3; times += 1) holds.report(report);
    holds.clear('content_writes', 'github.com');
    expect(shown).toMatchObject([[{ ...report, since: 1_000 }], []]);
  });

  it('ends a hold whose end has come, and begins a new episode afterwards', () => {
    const { holds, clock, lines } = openHolds();
    holds.report({ cause: 'money_day', scope: '2026-11-30', until: 2_000 });
    clock.ms = 2_000;
    expect(holds.list()).toEqual([]);
    holds.report({ cause: 'money_day', scope: '2026-12-01', until: 3_000 });
    expect(holds.list().map(({ since }) => since)).toEqual([2_000]);
    expect(lines.map(([level]) => level)).toEqual(['warn', 'info', 'warn']);
  });
});
