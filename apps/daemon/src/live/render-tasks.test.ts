import type { PreparationStage } from '@agent/orchestrator';
import type { Locale } from '@agent/text';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../text/terminal-text.ts';
import { renderTasks } from './live-view.ts';
import { isLive, type LiveConditions } from './open-screen.ts';

const task = {
  uuid: 'u1',
  name: 'acme/shop#1',
  title: 'The total is wrong',
  url: 'http://x/1',
  since: 0,
  preparation: null,
  plan: null,
  step: 3,
  asking: null,
  askingSince: null,
  attempt: 1,
  tool: 'read_file',
  toolSince: 142_000,
  tokens: 12_400,
  costMicros: 0,
};
const options = { width: 100, height: 24, now: 187_000, locale: 'en' } as const;

describe('the live view', () => {
  it('shows task, elapsed time, step, tool, tokens and title on one line', () => {
    expect(renderTasks([task], options)).toEqual([
      'acme/shop#1  3m 07s  step 3  read_file, 45s  12.4k tokens  The total is wrong',
    ]);
    const asked = { ...task, tool: null, asking: 'model', askingSince: 120_000 } as const;
    expect(renderTasks([asked], { ...options, locale: 'ja' })).toEqual([
      'acme/shop#1  3m 07s  ステップ 3  モデル呼び出し, 1m 07s  12.4k トークン  The total is wrong',
    ]);
  });

  it('says what goes on while neither the model nor a tool works', () => {
    const quiet = { ...task, tool: null };
    expect(renderTasks([{ ...quiet, step: 0 }], options)[0]).toContain('step 0  preparing');
    expect(renderTasks([quiet], options)[0]).toContain('step 3  working');
  });

  it('says how far a run is with getting ready, in both languages [PP-31] [E8]', () => {
    const show = (preparation: PreparationStage, locale: Locale) =>
      renderTasks([{ ...task, preparation }], { ...options, locale })[0]?.split('  ')[3];
    const subphases = ['understanding', 'collection_planning', 'collection', 'assumption'] as const;
    const stages = subphases.map((subphase) => ({ subphase, done: 2, total: 5 }));
    expect(stages.map((stage) => show(stage, 'ja'))).toEqual([
      'タスク内容を分析中...',
      '情報収集を計画中...',
      '情報を収集中... 2/5',
      '不足している情報を推測中...',
    ]);
    expect(stages.map((stage) => show(stage, 'en'))).toEqual([
      'Analyzing the task...',
      'Planning what to look up...',
      'Collecting information... 2/5',
      'Making assumptions...',
    ]);
  });

  it('shows phase and actions of a run that plans, in both languages [NX-125]', () => {
    const planned = { ...task, plan: { phase: 'execution', done: 2, total: 5 } } as const;
    expect(renderTasks([planned], options)).toEqual([
      'acme/shop#1  3m 07s  step 3  execution 2/5  read_file, 45s  12.4k tokens  The total is wrong',
    ]);
    expect(renderTasks([planned], { ...options, locale: 'ja' })[0]).toContain('  実行 2/5  ');
  });

  it('says that an agent works, where that is no model of ours [NX-289]', () => {
    const worked = { ...task, tool: null, asking: 'agent' as const, askingSince: 187_000 };
    expect(renderTasks([worked], options)[0]).toContain('  agent turn, 0s  ');
    expect(renderTasks([worked], { ...options, locale: 'ja' })[0]).toContain('  エージェントのターン, 0s  ');
  });

  it('is never wider than the terminal, however wide its characters are', () => {
    const wide = { ...task, title: '合計が間違っている👩‍👩‍👧‍👦'.repeat(20) };
    for (let width = 1; width <= 140; width += 1) {
      for (const line of renderTasks([wide], { ...options, width })) {
        expect(columnsOf(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
      }
    }
  });

  it('leaves the title out where there is no room for it', () => {
    expect(renderTasks([task], { ...options, width: 61 })).toEqual([
      'acme/shop#1  3m 07s  step 3  read_file, 45s  12.4k tokens',
    ]);
  });

  it('lets no control sequence of a title reach the terminal', () => {
    const [line] = renderTasks(
      [{ ...task, title: 'a\u001b[2Jb\u0007\nc\u009b31md\u202Ee', tool: '\u001b]0;x\u0007evil' }],
      options,
    );
    expect(line).not.toMatch(/[\p{Cc}\u202E]/u);
    expect(line).toContain('evil');
  });

  it('keeps a title that is written from right to left apart from the rest', () => {
    const [line = ''] = renderTasks([{ ...task, title: 'המחיר שגוי' }], options);
    expect(line.endsWith('\u2068המחיר שגוי\u2069')).toBe(true);
  });

  it('takes at most half of the rows and says how many tasks it hides', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ ...task, uuid: `u${index}` }));
    const lines = renderTasks(many, { ...options, height: 10 });
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toBe('… and 26 more');
  });

  it('shows nothing when nothing runs', () => {
    expect(renderTasks([], options)).toEqual([]);
  });
});

describe('isLive', () => {
  const terminal: LiveConditions = { wanted: true, logFormat: 'auto', terminal: true, environment: {} };

  it.each<[string, Partial<LiveConditions>]>([
    ['with --no-live', { wanted: false }],
    ['without a terminal', { terminal: false }],
    ['with JSON lines', { logFormat: 'json' }],
    ['in CI', { environment: { CI: 'true' } }],
    ['on a dumb terminal', { environment: { TERM: 'dumb' } }],
  ])('is off %s', (_when, conditions) => {
    expect(isLive(terminal)).toBe(true);
    expect(isLive({ ...terminal, ...conditions })).toBe(false);
  });
});
