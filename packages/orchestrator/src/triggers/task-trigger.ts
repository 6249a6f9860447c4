import {
  type Account,
  type CallOptions,
  isSameAccount,
  type PlaceFailure,
  type PlatformThread,
  type TaskKey,
  type Thread,
  type ThreadEdit,
} from '@agent/platforms';
import type { Locale } from '@agent/text';

/** State of a task, as its thread shows it. */
export type TaskState = 'waiting' | 'processing' | 'completed' | 'partial' | 'paused' | 'stopped' | 'failed';

/** The ports of a thread that a trigger reads and writes. */
export type TaskThread = Pick<
  PlatformThread,
  'key' | 'reader' | 'labels' | 'labelEvents' | 'history' | 'assignees'
>;

/** A thread to look at, with what was just read of it. */
export interface ReadTask {
  readonly ports: TaskThread;
  readonly thread: Thread;
}

/** The state that a thread is to show. */
export interface NextState extends CallOptions {
  readonly state: TaskState;
  /** The thread as it was just read; default: it is read first. */
  readonly thread?: Pick<Thread, 'labels'> | undefined;
  /** The request that this state answers; one that somebody made after it stays. Default: whatever was asked for. */
  readonly answers?: AnsweredRequest | undefined;
}

/** A request that a run answers. */
export interface AnsweredRequest {
  /** When it was made (ISO 8601), by the platform's clock. */
  readonly at: string;
  /** The agent's own account: what it gave itself is no request of somebody. */
  readonly own: Account;
}

/** Tells whether somebody but us asked after the request that is answered. */
export function isAskedAgain(
  event: Pick<HandoverEvent, 'actor' | 'at'> | null,
  { at, own }: AnsweredRequest,
): boolean {
  return event !== null && Date.parse(event.at) > Date.parse(at) && !isSameAccount(event.actor, own);
}

/** Thread that may wait for a run. */
export interface WaitingTask {
  readonly key: TaskKey;
  /** Default: none is known. */
  readonly labels?: readonly string[] | undefined;
  /** Default: unknown, as url and author. */
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly author?: Account | null | undefined;
}

/** Threads that may wait for a run, oldest first, and the places that could not be asked. */
export interface WaitingThreads {
  readonly tasks: readonly WaitingTask[];
  readonly failures: readonly PlaceFailure[];
}

/** The way in which people give threads to the agent, and in which these show how far it is. */
export interface TaskTrigger {
  /** True where threads whose run is paused are listed as well; otherwise one that is listed was given again, and its run resumes. */
  readonly listsPaused: boolean;
  /** True where a mention gives the agent work. Default false. */
  readonly beginsByMention?: boolean | undefined;
  /** True where somebody who may not give the agent work is told so; false where anybody can try: it would write to whoever calls it. */
  readonly tellsStrangers: boolean;
  /** Lists the open threads that may wait for a run, oldest first. Rejects where no repository could be asked. */
  readonly listWaiting: (options?: CallOptions) => Promise<WaitingThreads>;
  /** Answers `theirs` where the thread does not wait any more, because the listing was older than the thread is now. */
  readonly claim: (task: ReadTask, options?: CallOptions) => Promise<'ours' | 'theirs'>;
  /** Brings a thread to one state. Repeating it is safe; other people's signs are not touched. */
  readonly setState: (ports: TaskThread, next: NextState) => Promise<void>;
  /** Gives a waiting thread back to people: it waits no more, and shows no other state. */
  readonly release: (ports: TaskThread, options?: CallOptions) => Promise<void>;
  /** Reads what a thread shows. */
  readonly signs: TaskSigns;
  /** Texts about this way, for people. */
  readonly texts: Readonly<Record<Locale, TriggerTexts>>;
}

/** Questions about what a thread shows of having been given to the agent. Asking changes nothing. */
export interface TaskSigns {
  /**
   * Lists who gave the thread to the agent, the last first: several where more than one person did and no run took it yet;
   * empty where the platform knows of nobody, `unknown` where it never says. `since` (ISO 8601) asks for what has changed
   * since an earlier time than theirs; null for since then.
   */
  readonly listHandovers: (
    ports: TaskThread,
    options: { readonly since: string | null } & CallOptions,
  ) => Promise<readonly HandoverEvent[] | 'unknown'>;
  /** Tells whether the thread shows one of these states. */
  readonly shows: (task: ReadTask, states: readonly TaskState[]) => Promise<boolean>;
  /** Label of a running task; a user who removes it stops the run. Default: the thread shows no such label. */
  readonly workLabel?: string | undefined;
  /** Labels by the state that each shows. Default: threads show none. */
  readonly labels?: Readonly<Partial<Record<TaskState, string>>> | undefined;
  /**
   * Tells whether the thread carries the sign of a run in one of these states, by default at work; a user who takes it away stops the run.
   * Left out where there is no such sign on the thread itself.
   */
  readonly showsWork?:
    | ((thread: Pick<Thread, 'labels'>, states?: readonly TaskState[]) => boolean)
    | undefined;
  /** Tells whether the agent itself can make this thread wait. */
  readonly canReturn: (ports: TaskThread) => boolean;
}

/** Somebody's giving a thread to the agent. */
export interface HandoverEvent {
  /** Null where the platform does not say who it was. */
  readonly actor: Account | null;
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  /** The comment that gave it; null where none did. */
  readonly commentId: string | null;
  /** Changes of title, text and head since. */
  readonly editsSince: readonly ThreadEdit[];
}

/** Sentences about one way of giving threads to the agent, in one language. */
export interface TriggerTexts {
  /** After a failure. */
  readonly retry: string;
  /** After a stop; true where the assignment was taken away. */
  readonly beginAgain: (unassigned: boolean) => string;
  /** The refusal of what this account gave; null where nobody knows who it was. */
  readonly notGiven: (actor: Account | null) => string;
  /** The refusal of a thread that was changed after it was given. */
  readonly changed: (edit: Pick<ThreadEdit, 'part' | 'actor'>) => string;
  /** After a refusal; `whoMay` names the people who may. */
  readonly giveAgain: (whoMay: string) => string;
}
