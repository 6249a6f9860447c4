import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { TaskBoard } from '@agent/orchestrator';
import { describe, expect, it } from 'vitest';
import { openLiveView } from './live-view.ts';
import { openScreen } from './open-screen.ts';

/** A terminal that keeps everything that is written to it. */
function fakeTerminal() {
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  return {
    terminal: Object.assign(stream, { isTTY: true, columns: 80, rows: 24 }),
    take: () => {
      const taken = written;
      written = '';
      return taken;
    },
  };
}

const task = { uuid: 'u1', name: 'acme/shop#1', title: 'The total is wrong', url: 'http://x/1' };

describe('openLiveView', () => {
  it('writes log lines above the picture and draws it again only when it changes', () => {
    const board = new TaskBoard({ now: () => 0 });
    const { terminal, take } = fakeTerminal();
    const ticks: (() => void)[] = [];
    const every = (_milliseconds: number, tick: () => void) => {
      ticks.push(tick);
      return () => ticks.splice(0);
    };
    const view = openLiveView({ terminal, board, locale: 'en', now: () => 0, every });
    view.output.write('first line\n');
    expect(take()).toBe('first line\n');

    board.observe({ type: 'task-begin', task, resumed: false });
    ticks[0]?.();
    expect(stripVTControlCharacters(take())).toContain('acme/shop#1  0s  step 0');
    ticks[0]?.();
    expect(take()).toBe('');

    view.output.write('second line\n');
    const drawn = take();
    const erased = drawn.indexOf('\u001b[');
    expect(erased).toBeGreaterThanOrEqual(0);
    expect(drawn.indexOf('second line\n')).toBeGreaterThan(erased);
    expect(drawn.lastIndexOf('acme/shop#1')).toBeGreaterThan(drawn.indexOf('second line'));

    view.close();
    expect(ticks).toEqual([]);
    expect(take()).not.toContain('acme/shop#1');
  });

  it('leaves the cursor visible, so that a killed daemon leaves a usable terminal', () => {
    const board = new TaskBoard();
    board.observe({ type: 'task-begin', task, resumed: false });
    const { terminal, take } = fakeTerminal();
    const view = openLiveView({ terminal, board, locale: 'en', now: () => 0, every: () => () => {} });
    view.output.write('line\n');
    view.close();
    expect(take()).not.toContain('\u001b[?25l');
  });
});

describe('openScreen', () => {
  it('leaves the output as it is where nobody looks at a terminal', async () => {
    const { terminal } = fakeTerminal();
    const output = Object.assign(terminal, { isTTY: false });
    const common = {
      live: true,
      logFormat: 'auto',
      environment: {},
      board: new TaskBoard(),
      now: () => 0,
    } as const;
    expect((await openScreen({ ...common, output })).output).toBe(output);
  });
});
