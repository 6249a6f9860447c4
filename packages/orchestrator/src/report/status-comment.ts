import { formatTime, type Locale } from '@agent/text';

/**
 * States that a run's status comment shows. All but `ended` claim the thread. To other agents `watching` is a pause; `queued` and
 * `interrupted`, in which nothing works on the run for the moment, are work.
 */
export type StatusState = 'claimed' | 'working' | 'queued' | 'interrupted' | 'paused' | 'watching' | 'ended';

/** Facts of a status comment. */
export interface StatusReport {
  readonly state: StatusState;
  /** When the run began (ISO 8601). */
  readonly since: string;
  /** Page of the comment that the run ended with; null where the platform has none. */
  readonly finalUrl: string | null;
  /** Shows what becomes of the run; empty for nothing. */
  readonly sections: string;
}

/** Words of a status comment. */
export interface StatusOptions {
  readonly locale: Locale;
  readonly timeZone: string;
  /** True where the run hears commands. */
  readonly hearsCommands: boolean;
  /** Minutes after which a claim that nobody renewed holds no longer. */
  readonly expiryMinutes: number;
}

/** Text of the comment that a run keeps on its thread while it lasts, and that claims the thread for it. */
export function formatStatusComment({ sections, ...report }: StatusReport, options: StatusOptions): string {
  const line = formatStatusLine(report, options);
  return sections === '' ? line : `${line}\n\n${sections}`;
}

function formatStatusLine(
  { state, since, finalUrl }: Omit<StatusReport, 'sections'>,
  { locale, timeZone, hearsCommands, expiryMinutes }: StatusOptions,
): string {
  const text = texts[locale];
  if (state === 'ended') return text.ended(finalUrl);
  const rests = state === 'paused' || state === 'watching';
  const lines = [
    text[state === 'claimed' ? 'working' : state](formatTime(since, timeZone)),
    hearsCommands ? text.stop : null,
    rests ? text.freePaused : text.free(expiryMinutes),
  ];
  return lines.filter((line) => line !== null).join(' ');
}

const texts = {
  en: {
    working: (since: string) => `🤖 The coding agent works on this thread since ${since}.`,
    queued: (since: string) => `⏳ The coding agent will go on with its work on this thread, begun ${since}.`,
    interrupted: (since: string) =>
      `⏹️ The coding agent was ended while it worked on this thread, begun ${since}.`,
    paused: (since: string) => `⏸️ The coding agent has paused its work on this thread, begun ${since}.`,
    watching: (since: string) =>
      `👀 The coding agent has delivered its work on this thread, begun ${since}, and waits for reviews and checks.`,
    stop: 'To stop it, comment `/stop`.',
    free: (minutes: number) =>
      `While this comment stands, no second agent begins here; one that died lets go after ${minutes} minutes, or when this comment is deleted.`,
    freePaused: 'While this comment stands, no second agent begins here; deleting it lets another one begin.',
    ended: (url: string | null) =>
      url === null
        ? '🤖 The coding agent has ended its work: see its last comment.'
        : `🤖 The coding agent has ended its work: [see its last comment](${url}).`,
  },
  ja: {
    working: (since: string) => `🤖 コーディングエージェントが ${since} からこのスレッドで作業しています。`,
    queued: (since: string) =>
      `⏳ コーディングエージェントは、${since} に始めたこのスレッドでの作業をこれから続けます。`,
    interrupted: (since: string) =>
      `⏹️ コーディングエージェントは、${since} に始めたこのスレッドでの作業の途中で終了しました。`,
    paused: (since: string) =>
      `⏸️ コーディングエージェントは、${since} に始めたこのスレッドでの作業を一時停止しています。`,
    watching: (since: string) =>
      `👀 コーディングエージェントは、${since} に始めた作業の成果を提出し、レビューとチェックを待っています。`,
    stop: '止めるには `/stop` とコメントしてください。',
    free: (minutes: number) =>
      `このコメントがある間、別のエージェントはここで作業を始めません。作業が途絶えた場合は、${minutes} 分後か、このコメントを削除した時点で始められるようになります。`,
    freePaused:
      'このコメントがある間、別のエージェントはここで作業を始めません。削除すると、別のエージェントが始められるようになります。',
    ended: (url: string | null) =>
      url === null
        ? '🤖 コーディングエージェントの作業は終わりました。最後のコメントをご覧ください。'
        : `🤖 コーディングエージェントの作業は終わりました。[最後のコメント](${url})をご覧ください。`,
  },
} satisfies Record<Locale, unknown>;

/** Content of the hidden note of a status comment, for other agents of the same account and for the next process of the run. */
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

/** The topic of a run's status comment. */
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
