import type { RunningTask } from '../board/board-state.ts';
import { cleanLine, isolateDirection } from '../text/clean-text.ts';
import { columnsOf, fitColumns } from '../text/fit-columns.ts';
import { formatCount, formatDuration } from '../text/format-duration.ts';

export interface RenderTasksOptions {
  /** Columns and rows of the terminal. */
  readonly width: number;
  readonly height: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly locale: 'ja' | 'en';
}

const words = {
  en: {
    step: (step: number) => `step ${step}`,
    preparing: 'preparing',
    model: 'asking the model',
    working: 'working',
    tokens: 'tokens',
    more: (count: number) => `… and ${count} more`,
  },
  ja: {
    step: (step: number) => `ステップ ${step}`,
    preparing: '準備中',
    model: 'モデルに質問中',
    working: '処理中',
    tokens: 'トークン',
    more: (count: number) => `… ほか ${count} 件`,
  },
} as const;

type Words = (typeof words)[keyof typeof words];

/** Narrower than this, a title would say nothing. */
const minTitleColumns = 8;

/** One line for each task, none wider than the terminal and never more than half of its rows. */
export function renderTasks(tasks: Iterable<RunningTask>, options: RenderTasksOptions): readonly string[] {
  const all = [...tasks];
  const rows = Math.max(1, Math.floor(options.height / 2));
  const shown = all.length > rows ? all.slice(0, rows - 1) : all;
  const lines = shown.map((task) => renderTask(task, options));
  const hidden = all.length - shown.length;
  return hidden === 0 ? lines : [...lines, fitColumns(words[options.locale].more(hidden), options.width)];
}

function describeActivity({ tool, asking, step }: RunningTask, text: Words): string {
  if (tool !== null) return cleanLine(tool);
  if (asking) return text.model;
  return step === 0 ? text.preparing : text.working;
}

function renderTask(task: RunningTask, { width, now, locale }: RenderTasksOptions): string {
  const text = words[locale];
  const facts = [
    cleanLine(task.name),
    formatDuration(now - task.since),
    text.step(task.step),
    describeActivity(task, text),
    `${formatCount(task.tokens)} ${text.tokens}`,
  ];
  const line = facts.join('  ');
  const rest = width - columnsOf(line) - 2;
  if (rest < minTitleColumns) return fitColumns(line, width);
  return `${line}  ${isolateDirection(fitColumns(cleanLine(task.title), rest))}`;
}
