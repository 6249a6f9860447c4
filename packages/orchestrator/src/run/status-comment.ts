import { formatTime, type Locale } from '@agent/text';
import type { RunFacts } from './run-facts.ts';

/**
 * States that a run's status comment shows. All but `ended` lock the thread for other agents. Other agents read `watching` as a
 * pause, and `queued` and `interrupted` as work.
 */
export type StatusState = 'claimed' | 'working' | 'queued' | 'interrupted' | 'paused' | 'watching' | 'ended';

/** Facts that a status comment shows. */
export interface StatusReport {
  readonly state: StatusState;
  readonly kind: RunFacts['kind'];
  /** Start of the run (ISO 8601). */
  readonly since: string;
  /** Page of the run's final comment; null if the platform has none. */
  readonly finalUrl: string | null;
  /** Markdown with the progress of the run; empty if there is none. */
  readonly sections: string;
}

/** Settings of a status comment. */
export interface StatusOptions {
  readonly locale: Locale;
  /** IANA name. */
  readonly timeZone: string;
  /** True if the run receives comments and commands. */
  readonly hearsCommands: boolean;
  /** Minutes after which a claim that was not renewed expires. */
  readonly expiryMinutes: number;
}

/** Formats the comment that shows the state of a run on its thread and locks the thread for other agents. */
export function formatStatusComment({ sections, ...report }: StatusReport, options: StatusOptions): string {
  const head = formatHead(report, options);
  return sections === '' ? head : `${head}\n\n${sections}`;
}

function formatHead(
  { state, kind, since, finalUrl }: Omit<StatusReport, 'sections'>,
  { locale, timeZone, hearsCommands, expiryMinutes }: StatusOptions,
): string {
  const text = texts[locale];
  if (state === 'ended') return text.ended(finalUrl);
  const isWorking = state === 'claimed' || state === 'working';
  const isWaiting = state === 'paused' || state === 'watching';
  const lines = [
    text[isWorking ? 'working' : state](formatTime(since, timeZone, { seconds: false })),
    hearsCommands ? text[findHint(state)] : null,
    isWaiting ? text.lockOfPause(kind) : text.lock(kind, expiryMinutes),
  ];
  return lines.filter((line) => line !== null).join('\n');
}

/** Names the sentence that shows how to influence a run in this state. */
function findHint(state: Exclude<StatusState, 'ended'>): 'steer' | 'review' | 'stop' {
  if (state === 'claimed' || state === 'working') return 'steer';
  return state === 'watching' ? 'review' : 'stop';
}

const japaneseKinds: Readonly<Record<RunFacts['kind'], string>> = {
  issue: ' Issue ',
  'pull request': 'プルリクエスト',
  'merge request': 'マージリクエスト',
};

const texts = {
  en: {
    working: (since: string) => `🤖 Working on this since ${since}.`,
    queued: (since: string) => `⏳ Queued. I'll continue this task automatically (started ${since}).`,
    interrupted: (since: string) =>
      `⏹️ Interrupted. I'll continue this task when the agent starts again (started ${since}).`,
    paused: (since: string) => `⏸️ Paused. I started this task on ${since}.`,
    watching: (since: string) => `👀 Waiting for reviews and checks of my changes (started ${since}).`,
    steer: 'Users with write access can steer me with comments, `/pause` and `/stop`.',
    review: 'Review or comment to ask for changes. To end the task, comment `/stop`.',
    stop: 'To cancel the task, comment `/stop`.',
    lock: (kind: RunFacts['kind'], minutes: number) =>
      `Other agents skip this ${kind} while this comment exists. If I crash, they can take over after ${minutes} minutes. To let them take over sooner, delete this comment.`,
    lockOfPause: (kind: RunFacts['kind']) =>
      `Other agents skip this ${kind} while this comment exists. To let them take over, delete it.`,
    ended: (url: string | null) =>
      url === null
        ? '🤖 This task has ended. See my final report below.'
        : `🤖 This task has ended. See my [final report](${url}).`,
  },
  ja: {
    working: (since: string) => `🤖 ${since} から作業しています。`,
    queued: (since: string) => `⏳ 順番待ちです。このタスクは自動的に続けます（${since} に開始）。`,
    interrupted: (since: string) =>
      `⏹️ 中断しました。エージェントが再び起動すると、このタスクを続けます（${since} に開始）。`,
    paused: (since: string) => `⏸️ 一時停止中です（${since} に開始）。`,
    watching: (since: string) => `👀 変更へのレビューとチェックを待っています（${since} に開始）。`,
    steer: '書き込み権限のあるユーザーは、コメント、`/pause`、`/stop` で指示できます。',
    review:
      '変更の依頼はレビューまたはコメントでお送りください。タスクを終了するには `/stop` とコメントしてください。',
    stop: 'タスクを中止するには `/stop` とコメントしてください。',
    lock: (kind: RunFacts['kind'], minutes: number) =>
      `このコメントにより、他のエージェントはこの${japaneseKinds[kind]}で作業できません。このロックは、エージェントの異常終了から ${minutes} 分後か、このコメントを削除したときに解除されます。`,
    lockOfPause: (kind: RunFacts['kind']) =>
      `このコメントにより、他のエージェントはこの${japaneseKinds[kind]}で作業できません。ロックを解除するには、このコメントを削除してください。`,
    ended: (url: string | null) =>
      url === null
        ? '🤖 作業は終わりました。以下の最終報告をご覧ください。'
        : `🤖 作業は終わりました。[最終報告](${url})をご覧ください。`,
  },
} satisfies Record<Locale, unknown>;

/** Hidden note of a status comment: read by other agents of the same account and by the next process of the run. */
export interface StatusNote {
  readonly state: StatusState;
  /** When it was written (ISO 8601), by the clock of the writer: it makes each renewal another text. */
  readonly at: string;
  /** Line and check of the last line of the run's record; null where the record has none. */
  readonly position: { readonly line: number; readonly check: string } | null;
}

/** States as the note keeps them, which programs of before read. */
const keptStates: Readonly<Record<StatusState, StatusState>> = {
  claimed: 'claimed',
  working: 'working',
  queued: 'working',
  interrupted: 'working',
  paused: 'paused',
  watching: 'paused',
  ended: 'ended',
};

/** Formats the note. */
export function formatStatusNote({ state, at, position }: StatusNote): string {
  const kept = keptStates[state];
  const place = position === null ? '' : ` record=${position.line}:${position.check}`;
  return `state=${kept} at=${at}${place}`;
}

const notePattern = /^state=(claimed|working|paused|ended) at=(\S+?)(?: record=(\d+):([0-9a-f]*))?$/u;

/** Reads it; null for a note that this program did not write. */
export function parseStatusNote(note: string | null): StatusNote | null {
  const [, state, at = '', line, check = ''] = notePattern.exec(note ?? '') ?? [];
  if (state === undefined) return null;
  const position = line === undefined ? null : { line: Number(line), check };
  return { state: state as StatusState, at, position };
}

/** Returns the topic of a run's status comment. */
export function toStatusTopic(uuid: string): string {
  return `run:${uuid}:status`;
}

/** Tells whether a comment of ours only shows how a run goes on: it says nothing that another run has to know. */
export function isProgressTopic(topic: string | null): boolean {
  return /^run:[0-9a-f-]{36}:(?:status|progress)$/u.test(topic ?? '');
}

/** The run that a status comment belongs to; null for the topic of another comment. */
export function parseStatusTopic(topic: string | null): string | null {
  return /^run:([0-9a-f-]{36}):status$/u.exec(topic ?? '')?.[1] ?? null;
}
