import type {
  BoardQuery,
  BoardView,
  HealthView,
  RawLines,
  RunControl,
  RunView,
  ThreadView,
} from './views.ts';

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Reads what the page shows. What could not be read rejects: it is never an empty page. */
export interface PageReader {
  readonly readBoard: (query: BoardQuery, options?: CallOptions) => Promise<BoardView>;
  /** A part of a run's timeline: so many entries at the most, behind `from` others (as `before` counts them), or the last ones for null. Null for an unknown run. */
  readonly readRun: (
    uuid: string,
    part: { readonly from: number | null; readonly limit: number },
    options?: CallOptions,
  ) => Promise<RunView | null>;
  /** Null for a thread without runs. */
  readonly readThread: (key: string, options?: CallOptions) => Promise<ThreadView | null>;
  /** Lines of a run's record, as they are written. Null for an unknown run. */
  readonly readLines: (
    uuid: string,
    part: { readonly from: number; readonly limit: number },
    options?: CallOptions,
  ) => Promise<RawLines | null>;
}

/** Reads the health of what the work rests on. */
export interface HealthReader {
  readonly readHealth: (options?: CallOptions) => Promise<HealthView>;
}

/** Something that a page may show was changed; `uuid` is null for the board as a whole. */
export interface PageChange {
  readonly uuid: string | null;
  readonly threadKey: string | null;
}

/** Tells of changes within a second of the record's, whoever made them. */
export interface PageChanges {
  /** Gives back what ends it. */
  readonly subscribe: (listener: (change: PageChange) => void) => () => void;
}

/** Asks something of a run. The answer is in words for people where it was refused. */
export interface RunActions {
  readonly act: (
    request: {
      readonly uuid: string;
      readonly control: RunControl;
      /** Amount of a budget in millionths; null for other controls. */
      readonly amountMicros: number | null;
      /** Person who asks, as the audit log names them. */
      readonly actor: string;
    },
    options?: CallOptions,
  ) => Promise<ActAnswer>;
}

/** Answer to what a person asked for; `reason` is in words for people, or says what became of it. */
export type ActAnswer =
  | { readonly accepted: true; readonly reason?: string | undefined }
  | { readonly accepted: false; readonly reason: string };

/** Reads the settings of the process again: all that may change is taken over, or nothing. */
export interface SettingsReload {
  readonly reload: () => Promise<
    | {
        readonly status: 'taken';
        /** Keys that changed, and those of them that have no effect before a restart. */
        readonly changed: readonly string[];
        readonly needRestart: readonly string[];
      }
    | { readonly status: 'refused'; readonly reason: string }
  >;
}

/** Remembers tokens that let people in. */
export interface LoginTokens {
  /** Name of whoever has this token; null for one that is unknown or over. */
  readonly findHolder: (token: string) => Promise<string | null>;
}

/** Line of the audit log. */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly outcome: 'accepted' | 'refused' | 'failed';
  readonly reason: string | null;
}

/** Keeps what people did. An entry is kept before the act has any effect. */
export interface AuditLog {
  readonly append: (entry: AuditEntry) => Promise<void>;
  /** The latest first. */
  readonly list: (options: { readonly limit: number }) => Promise<readonly AuditEntry[]>;
}
