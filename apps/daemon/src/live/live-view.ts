import { Writable } from 'node:stream';
import type { TaskBoard } from '@agent/orchestrator';
import type { Locale } from '@agent/text';
import { createLogUpdate } from 'log-update';
import { renderTasks } from './render-tasks.ts';

/** A terminal, as far as this needs it. */
export type Terminal = NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };

export interface LiveViewOptions {
  readonly terminal: Terminal;
  readonly board: TaskBoard;
  readonly locale: Locale;
  readonly now: () => number;
  /** Calls a function again and again until the function that it gives back is called. Default `setInterval`. */
  readonly every?: (milliseconds: number, tick: () => void) => () => void;
}

export interface LiveView {
  /** Stream for log lines: they appear above the view. */
  readonly output: NodeJS.WritableStream & { readonly isTTY: boolean };
  /** Takes the view away; what was written stays. */
  readonly close: () => void;
}

/** Milliseconds between two pictures: seconds are counted, and events are many. */
const redrawMs = 250;

/** Keeps a line for each running task at the bottom of the terminal, below the log. */
export function openLiveView(options: LiveViewOptions): LiveView {
  const { terminal, board, locale, now, every = repeat } = options;
  // The cursor stays visible: a process that is killed cannot bring it back.
  const screen = createLogUpdate(terminal as NodeJS.WriteStream, { showCursor: true });
  let shown = '';
  const draw = (): void => {
    const { columns: width = 80, rows: height = 24 } = terminal;
    // The last column stays free: some terminals wrap a line that fills it.
    const lines = renderTasks(board.state.running.values(), { width: width - 1, height, now: now(), locale });
    const picture = lines.join('\n');
    if (picture === shown) return;
    shown = picture;
    if (picture === '') screen.clear();
    else screen(picture);
  };
  const hide = (): void => {
    if (shown !== '') screen.clear();
    shown = '';
  };
  const stop = every(redrawMs, draw);
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      hide();
      terminal.write(chunk);
      draw();
      done();
    },
  });
  return {
    output: Object.assign(output, { isTTY: true }),
    close: () => {
      stop();
      hide();
    },
  };
}

function repeat(milliseconds: number, tick: () => void): () => void {
  const timer = setInterval(tick, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
