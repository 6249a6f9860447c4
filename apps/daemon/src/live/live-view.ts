import { Writable } from 'node:stream';
import type { PreparationStage, RunningTask, TaskBoard } from '@agent/orchestrator';
import type { Locale } from '@agent/text';
import { createLogUpdate } from 'log-update';
import {
  cleanLine,
  columnsOf,
  fitColumns,
  formatCount,
  formatDuration,
  isolateDirection,
} from '../text/terminal-text.ts';
import { en, type LiveTexts } from './texts.en.ts';
import { ja } from './texts.ja.ts';

/** A terminal, as far as this needs it. */
type Terminal = NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };

interface LiveViewOptions {
  readonly terminal: Terminal;
  readonly board: TaskBoard;
  readonly locale: Locale;
  readonly now: () => number;
  /** Calls a function again and again until the function that it gives back is called. Default `setInterval`. */
  readonly every?: (milliseconds: number, tick: () => void) => () => void;
}

interface LiveView {
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

interface RenderTasksOptions {
  /** Columns and rows of the terminal. */
  readonly width: number;
  readonly height: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly locale: Locale;
}

const texts: Readonly<Record<Locale, LiveTexts>> = { en, ja };

/** Narrower than this, a title would say nothing. */
const minTitleColumns = 8;

/** One line for each task, none wider than the terminal and never more than half of its rows. */
export function renderTasks(tasks: Iterable<RunningTask>, options: RenderTasksOptions): readonly string[] {
  const all = [...tasks];
  const rows = Math.max(1, Math.floor(options.height / 2));
  const shown = all.length > rows ? all.slice(0, rows - 1) : all;
  const lines = shown.map((task) => renderTask(task, options));
  const hidden = all.length - shown.length;
  return hidden === 0 ? lines : [...lines, fitColumns(texts[options.locale].more(hidden), options.width)];
}

function describeActivity(task: RunningTask, { text, now }: { text: LiveTexts; now: number }): string {
  const { preparation, tool, toolSince, asking, askingSince, step } = task;
  const took = (since: number | null) => (since === null ? '' : `, ${formatDuration(now - since)}`);
  if (preparation !== null) return describePreparation(preparation, text);
  if (tool !== null) return `${cleanLine(tool)}${took(toolSince)}`;
  if (asking !== null) return `${text[asking]}${took(askingSince)}`;
  return step === 0 ? text.preparing : text.working;
}

/** The seed's short text for whoever looks on. @see decision E8 */
function describePreparation({ subphase, done, total }: PreparationStage, text: LiveTexts): string {
  return subphase === 'collection' ? `${text.collection} ${done}/${total}` : text[subphase];
}

function renderTask(task: RunningTask, { width, now, locale }: RenderTasksOptions): string {
  const text = texts[locale];
  const facts = [
    cleanLine(task.name),
    formatDuration(now - task.since),
    text.step(task.step),
    ...(task.plan === null ? [] : [text.plan(task.plan)]),
    describeActivity(task, { text, now }),
    `${formatCount(task.tokens)} ${text.tokens}`,
  ];
  const line = facts.join('  ');
  const rest = width - columnsOf(line) - 2;
  if (rest < minTitleColumns) return fitColumns(line, width);
  return `${line}  ${isolateDirection(fitColumns(cleanLine(task.title), rest))}`;
}
