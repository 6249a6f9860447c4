import { basename } from 'node:path';
import { fitCommentBody } from '@agent/platforms/comments';
import type { Locale } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import { formatReference, type RunFacts } from '../run/run-facts.ts';
import { fitBetween, roomBetween, toWellFormedSlice } from './fit-text.ts';
import { runTexts } from './texts.ts';

/** Report of one run in the body of the request that it works on. */
export interface RequestEntry {
  /** The run: told again, it replaces what it told before. */
  readonly uuid: string;
  /** An issue is closed when the request is merged; another request is only named. Default an issue. */
  readonly kind?: RunFacts['kind'] | undefined;
  readonly number: number;
  /** From `formatRequestText`. */
  readonly text: string;
  readonly locale: Locale;
}

const begin = '<!-- agent-daemon: begin -->';
const end = '<!-- agent-daemon: end -->';
const runBegin = '<!-- agent-daemon: run ';
const runEnd = '<!-- agent-daemon: end of run -->';
const minTextChars = 500;
const maxEarlierRuns = 9;
const maxEarlierChars = 2_000;
/** Room that earlier runs and people may take of a body before the list of files has to go. */
const takenByOthers = 25_000;
const maxListedFiles = 50;
/** Limit for the list of files; deep paths are long. */
const maxListChars = 20_000;

/**
 * The body of a request after a run: what people wrote stays to the letter, and our part of it, between two markers that no page
 * shows, tells of this run and, shorter, of those before it, newest first. Null where the markers are gone or the room
 * is taken: then the body is people's alone. Composing again from the result gives the result.
 */
export function composeRequestBody(current: string | null, entry: RequestEntry): string | null {
  if (current === null) return composeOwnPart(entry, { earlier: [], around: 0 });
  const from = current.indexOf(begin);
  const to = current.indexOf(end, from + begin.length);
  const isOnce = from === current.lastIndexOf(begin) && to === current.lastIndexOf(end);
  if (from === -1 || to === -1 || !isOnce) return null;
  const before = current.slice(0, from);
  const after = current.slice(to + end.length);
  const earlier = readRuns(current.slice(from, to)).filter(({ uuid }) => uuid !== entry.uuid);
  const part = composeOwnPart(entry, { earlier, around: before.length + after.length });
  return part === null ? null : before + part + after;
}

/** Tells whether a run opened a request: the body reports of no other run. */
export function isOpenedBy(body: string, uuid: string): boolean {
  const runs = readRuns(body);
  return runs.length > 0 && runs.every((run) => run.uuid === uuid);
}

interface ToldRun {
  readonly uuid: string;
  readonly text: string;
}

/** Reads what runs told, without the heading that each has. */
function readRuns(part: string): readonly ToldRun[] {
  return part
    .split(runBegin)
    .slice(1)
    .flatMap((told) => {
      const uuid = told.slice(0, told.indexOf(' -->'));
      const close = told.indexOf(runEnd);
      const heading = told.indexOf('\n', told.indexOf('\n') + 1);
      if (!/^[\w-]{1,100}$/.test(uuid) || close === -1 || heading === -1) return [];
      return [{ uuid, text: told.slice(heading, close).trim() }];
    });
}

/** Null where what stands around it leaves no room. */
function composeOwnPart(
  entry: RequestEntry,
  { earlier, around }: { readonly earlier: readonly ToldRun[]; readonly around: number },
): string | null {
  const { locale, kind = 'issue', number, uuid } = entry;
  const reference = `${kind === 'issue' ? 'Closes' : 'Refs'} ${formatReference(kind, number)}`;
  const text = runTexts[locale].request;
  const told = earlier.slice(0, maxEarlierRuns).map((run) => {
    const [summary = ''] = run.text.split(`\n\n${text.files}`);
    const short = fitCommentBody(summary, { maxChars: maxEarlierChars, locale });
    return formatRun({ uuid: run.uuid, heading: text.earlier, text: short });
  });
  const left = earlier.length > maxEarlierRuns ? [text.left] : [];
  const compose = (latest: string): string => {
    const first = formatRun({ uuid, heading: text.latest, text: latest });
    return [begin, reference, first, ...told, ...left, end].join('\n\n');
  };
  if (roomBetween({ compose, taken: around }) < minTextChars) return null;
  return fitBetween(withoutMarkers(entry.text), { locale, compose, taken: around });
}

function formatRun({ uuid, heading, text }: ToldRun & { readonly heading: string }): string {
  return `${runBegin}${uuid} -->\n${heading}\n\n${text}\n\n${runEnd}`;
}

/** A text that holds our markers could end our part, or speak for another run. */
function withoutMarkers(text: string): string {
  return text.replaceAll('<!-- agent-daemon:', '<!-- agent daemon:');
}

/**
 * Formats what a run tells of itself in the request: what the model said last, cut to the room that the list leaves, and all files that the
 * request changes.
 */
export function formatRequestText(
  finalText: string,
  { changedFiles, locale }: { readonly changedFiles: readonly string[]; readonly locale: Locale },
): string {
  const { request, more } = runTexts[locale];
  const files = listFiles(changedFiles, more);
  const compose = (summary: string): string => [summary, request.files, files].join('\n\n');
  return fitBetween(finalText, { locale, taken: takenByOthers, compose });
}

function listFiles(paths: readonly string[], more: (count: number) => string): string {
  const lines: string[] = [];
  let chars = 0;
  for (const path of paths.slice(0, maxListedFiles)) {
    const line = `- ${toCodeSpan(path)}`;
    chars += line.length + 1;
    if (chars > maxListChars) break;
    lines.push(line);
  }
  const hidden = paths.length - lines.length;
  return (hidden > 0 ? [...lines, more(hidden)] : lines).join('\n');
}

/** GitHub refuses longer titles; GitLab's adapter puts its mark of a draft before them. */
const maxTitleChars = 250;
const maxSubjectChars = 72;

/** The title that a request is opened with; without a word of the thread where more people read the request. */
export function formatRequestTitle(
  { number, title }: Pick<RunFacts, 'number' | 'title'>,
  { isNeutral }: { readonly isNeutral: boolean },
): string {
  const shown = title.trim();
  return isNeutral || shown === ''
    ? `Work on issue #${number}`
    : toWellFormedSlice(`${shown} (#${number})`, maxTitleChars);
}

/** Round of a follow-up, as far as its commit tells of it. */
export interface CommittedRound {
  /** From 1. */
  readonly number: number;
  /** Kinds of news that it was told of, each once. */
  readonly answers: readonly ('check' | 'review' | 'comment')[];
  /** True where the branch conflicted with its base. */
  readonly conflicts: boolean;
}

/**
 * Formats the message of a commit: a subject of its own, made of what it changes and of no word that anybody wrote, and where it comes
 * from. In a round of a follow-up it says what it answers, and which round it was.
 */
export function formatCommitMessage(
  { kind, number }: Pick<RunFacts, 'kind' | 'number'>,
  changedFiles: readonly string[],
  round: CommittedRound | null = null,
): string {
  const reference = formatReference(kind, number);
  const after = round === null ? '' : formatReasons(round);
  const trailer = round === null ? '' : `\nRound: ${round.number}`;
  return `${formatSubject(`${after} (${reference})`, changedFiles) ?? `Work on ${reference}${after}`}\n\nRefs ${reference}${trailer}\n`;
}

function formatReasons({ answers, conflicts, number }: CommittedRound): string {
  const reasons = [
    ...(answers.includes('check') ? ['a failed check'] : []),
    ...(answers.includes('review') ? ['review'] : []),
    ...(answers.includes('comment') ? ['a comment'] : []),
    ...(conflicts ? ['a conflict'] : []),
  ];
  return reasons.length === 0 ? `, round ${number}` : ` after ${reasons.slice(0, 2).join(' and ')}`;
}

/** Null where no name of a file fits. */
function formatSubject(ending: string, paths: readonly string[]): string | null {
  const others = paths.length - 1;
  const rest = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'file' : 'files'}`;
  const named = paths
    .flatMap((path) => [path, basename(path)])
    .filter((name) => /^[A-Za-z0-9_.][A-Za-z0-9_./+-]*$/.test(name))
    .map((name) => `Change ${name}${rest}${ending}`);
  return named.find((subject) => subject.length <= maxSubjectChars) ?? null;
}
