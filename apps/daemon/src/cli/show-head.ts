import { nameOfRun, type ShownMessage } from '@agent/orchestrator';
import type { RunView } from '@agent/orchestrator/watch';
import type { Json, ShownRun } from '@agent/run-store';
import { z } from 'zod';
import { cleanLine, cleanText, formatDuration } from '../text/terminal-text.ts';
import type { CliTexts } from './texts.en.ts';

/** A run, and how the web UI shows it; null if its record does not say what it is. */
export interface HeadParts {
  readonly run: ShownRun<ShownMessage>;
  readonly view: RunView | null;
  /** Cost with its currency; null for none. */
  readonly cost: string | null;
  readonly texts: CliTexts;
  /** Shows patches and outputs whole. */
  readonly isFull: boolean;
}

const shownLines = 12;
/** Lines of a failed step: what a program says first names the error, its last lines where it ended. */
const failedLines = { first: 12, last: 12 };
const detailsSchema = z.looseObject({
  branch: z.string().nullish(),
  commit: z.string().nullish(),
  changed_files: z.array(z.string()).catch([]),
  change_request: z.looseObject({ url: z.string() }).nullish().catch(null),
});

/** Formats what an operator needs first: state, outcome, reason, failed step, costs, times and what to do next. */
export function formatHead(parts: HeadParts): string {
  const { run, view, texts } = parts;
  const { metadata, outcome, location, uuid } = run;
  const { url, title, branch } = metadata.extra;
  const details = detailsSchema.safeParse(outcome?.details).data;
  const about = {
    thread: url,
    changeRequest: details?.change_request?.url,
    files: details?.changed_files.join(', '),
    branch: details?.branch ?? branch,
    commit: details?.commit,
    model: metadata.config.model,
    run: uuid,
    record: location,
  };
  const lines = [
    [nameOf(run), typeof title === 'string' ? cleanLine(title) : ''].join('  ').trimEnd(),
    ...formatState(parts),
    ...(view?.failure?.kind === 'tool' ? formatFailure(parts) : []),
    ...formatHeld(parts),
    ...formatNext(parts),
    '',
    texts.show.times(
      formatTime(metadata.createdAt),
      outcome === null ? null : formatTime(outcome.finishedAt),
    ),
    ...formatCost(parts),
    ...Object.entries(about).flatMap(([name, fact]) => {
      const label = texts.show.facts[name as keyof typeof about];
      return typeof fact === 'string' && fact !== '' ? [`${label}: ${cleanLine(fact)}`] : [];
    }),
  ];
  const answer = outcome?.finalText ?? '';
  return [...lines, ...(answer === '' ? [] : ['', texts.show.answer, ...indent(answer, parts)])].join('\n');
}

/** Facts of the head for programs. */
export function toHeadJson(view: RunView | null): { readonly [key: string]: Json } {
  const { failure = null, pause = null, held = [] } = view ?? {};
  const isTool = failure?.kind === 'tool';
  return {
    failed_step: failure === null ? null : { step: failure.step, tool: isTool ? failure.name : null },
    paused_by: pause?.by ?? null,
    held: held.map(({ id, path, text, allow }) => ({ id, path, text, allow })),
  };
}

function nameOf({ metadata }: ShownRun<ShownMessage>): string {
  const { url } = metadata.extra;
  const { taskKeyText } = metadata;
  return cleanLine(nameOfRun({ taskKeyText, url: typeof url === 'string' ? url : null }));
}

function formatState({ run, view, texts }: HeadParts): readonly string[] {
  const { outcome, place } = run;
  const { pause = null, held = [] } = view ?? {};
  const state = outcome?.status ?? view?.row.state ?? (place === 'completed' ? 'ended' : place);
  const name = texts.states[state] ?? state;
  const reason = outcome?.reason ?? null;
  if (pause === null) return [reason === null ? name : `${name}: ${cleanLine(reason)}`];
  const since = formatTime(new Date(pause.at).toISOString());
  const shown = pause.by === null || pause.waitsFor !== null ? name : texts.pausedBy(cleanLine(pause.by));
  const words =
    pause.waitsFor === 'held'
      ? texts.heldChanges(held.length)
      : pause.waitsFor && texts.waitsFor[pause.waitsFor];
  return [`${[shown, words].filter(Boolean).join(', ')} ${texts.show.since(since)}`];
}

function formatFailure(parts: HeadParts): readonly string[] {
  const { view, texts } = parts;
  const failure = view?.failure;
  if (failure == null) return [];
  const { step, name, args, text } = failure;
  const where = step === null ? cleanLine(name) : `${texts.step(step)}, ${cleanLine(name)}`;
  const call = args === null ? [] : [`   ${cleanLine(args).slice(0, 200)}`];
  return [`${texts.show.failedStep}: ${where}`, ...call, ...indent(text, { ...parts, ...failedLines })];
}

function formatHeld(parts: HeadParts): readonly string[] {
  const { view, texts, isFull } = parts;
  const held = view?.held ?? [];
  if (held.length === 0) return [];
  const items = held.flatMap(({ id, text, allow, patch }) => [
    `   ${id}  ${cleanLine(text)}${allow === null ? '' : `  ${allow}`}`,
    ...(isFull && patch !== null ? indent(patch, parts).map((line) => `   ${line}`) : []),
  ]);
  return [texts.show.held, ...items, ...(isFull ? [] : [`   ${texts.show.patches}`])];
}

function formatNext({ run, view, texts }: HeadParts): readonly string[] {
  const name = nameOf(run);
  if (view?.pause?.waitsFor === 'held') return [texts.show.allow];
  if (view?.pause?.waitsFor === null) return [texts.show.resume(name)];
  return run.outcome?.status === 'failed' ? [texts.show.retry(name)] : [];
}

function formatCost({ run, view, cost, texts }: HeadParts): readonly string[] {
  if (run.outcome !== null) {
    const { modelCalls, toolCalls, inputTokens, outputTokens, durationMs, cachedInputTokens } =
      run.outcome.statistics;
    const counts = { modelCalls, toolCalls, tokens: inputTokens + outputTokens, cachedInputTokens, cost };
    return [texts.statistics({ ...counts, duration: formatDuration(durationMs) })];
  }
  if (view === null) return [];
  const { row, elapsedMs } = view;
  return [texts.show.soFar(row.tokens ?? 0, cost, formatDuration(elapsedMs))];
}

interface ExcerptOptions {
  readonly isFull: boolean;
  /** Number of lines at the beginning. Default 12. */
  readonly first?: number;
  /** Number of lines at the end. Default 0. */
  readonly last?: number;
}

/** First and last lines of a text, indented. */
function indent(text: string, { isFull, first = shownLines, last = 0 }: ExcerptOptions): readonly string[] {
  if (text.trim() === '') return [];
  const lines = cleanText(text.trim())
    .split('\n')
    .map((line) => `   ${line}`.trimEnd());
  const hidden = lines.length - first - last;
  if (isFull || hidden <= 0) return lines;
  return [...lines.slice(0, first), `   … (+${hidden})`, ...lines.slice(first + hidden)];
}

function formatTime(timestamp: string): string {
  return `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;
}
