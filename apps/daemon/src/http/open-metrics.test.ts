import { emptyBoard, formatOpenMetrics, reduceBoard } from '@agent/orchestrator';
import { describe, expect, it } from 'vitest';
import { toMetrics } from './to-metrics.ts';

describe('toMetrics', () => {
  const measured = {
    board: emptyBoard,
    queued: 2,
    inReview: 4,
    service: { problems: [] },
    now: 5_000,
    startedAt: 5_000,
    memory: { rss: 10, heapUsed: 5 },
  };

  it('leaves out a number that could not be found, rather than showing none', () => {
    expect(formatOpenMetrics(toMetrics({ ...measured, paused: null }))).not.toContain('state="paused"');
    expect(formatOpenMetrics(toMetrics({ ...measured, paused: 3 }))).toContain('{state="paused"} 3');
    expect(formatOpenMetrics(toMetrics({ ...measured, paused: 3 }))).toContain('{state="in_review"} 4');
  });

  it('counts the changes that a user has to allow', () => {
    const text = formatOpenMetrics(toMetrics({ ...measured, paused: 1, held: 2 }));
    expect(text).toContain('agent_daemon_held_changes 2\n');
    expect(formatOpenMetrics(toMetrics({ ...measured, paused: null }))).not.toContain('held_changes');
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

  it('counts the comments of which people are notified, by platform [NX-237]', () => {
    const made = { type: 'comment', platform: 'github' } as const;
    const board = [made, made].reduce((before, event) => reduceBoard(before, event, 0), emptyBoard);
    const text = formatOpenMetrics(toMetrics({ ...measured, board, paused: 0 }));
    expect(text).toContain('agent_daemon_notifications_total{platform="github"} 2\n');
  });

  it('counts what ended runs could not do outside yet, by kind [NX-94]', () => {
    const open = { kinds: ['comment', 'label'], reason: 'comment: 403' };
    const seen = { type: 'outbox', uuid: 'u', name: 'acme/shop#1' } as const;
    const before = reduceBoard(emptyBoard, { ...seen, open }, 0);
    const text = formatOpenMetrics(toMetrics({ ...measured, board: before, paused: 0 }));
    expect(text).toContain('agent_daemon_outbox_open{kind="comment"} 1\n');
    expect(text).not.toContain('part="outbox');
    const board = reduceBoard(before, { ...seen, open: null }, 0);
    const after = formatOpenMetrics(toMetrics({ ...measured, board, paused: 0 }));
    expect(after).toContain('agent_daemon_outbox_open{kind="comment"} 0\n');
    expect(board.conditions.size).toBe(0);
  });

  it('keeps to the grammar of OpenMetrics', () => {
    const lines = formatOpenMetrics(toMetrics({ ...measured, paused: 0 })).split('\n');
    const grammar =
      /^(?:# (?:TYPE [a-z_]+ (?:counter|gauge|histogram)|HELP [a-z_]+ .+|EOF)|[a-z_]+(?:\{[a-z_]+="[^"\n]*"\})? -?\d+(?:\.\d+)?)$/;
    for (const line of lines.slice(0, -1)) expect(line).toMatch(grammar);
    expect(lines.at(-2)).toBe('# EOF');
  });
});
