import type { Platform, PlatformThread, ReactionMeaning } from '@agent/platforms';
import type { ObservedThreadRecord } from './observed-record.ts';

/** A write that a process which only observes would have made. */
export type ObservedWrite =
  | {
      readonly write: 'comment';
      readonly topic: string;
      readonly body: string;
      /** True for a note that only members of the project can read. */
      readonly internal: boolean;
    }
  | { readonly write: 'edit'; readonly commentId: string; readonly topic: string; readonly body: string }
  | { readonly write: 'removal'; readonly commentId: string }
  | { readonly write: 'reaction'; readonly commentId: string; readonly meaning: ReactionMeaning }
  | { readonly write: 'label'; readonly change: 'add' | 'remove'; readonly label: string }
  | { readonly write: 'assignment'; readonly change: 'add' | 'remove'; readonly login: string }
  | {
      readonly write: 'draft';
      /** Number of the open request whose body changes; null for a new draft. */
      readonly number: number | null;
      /** Page of the open request; null for a new draft. */
      readonly url: string | null;
      readonly headBranch: string;
      readonly baseBranch: string;
      readonly title: string;
      readonly body: string;
    }
  | { readonly write: 'review-request'; readonly number: number; readonly login: string }
  | { readonly write: 'review-answer'; readonly reviewThread: string; readonly body: string }
  | { readonly write: 'review-resolution'; readonly reviewThread: string }
  | { readonly write: 'check-rerun'; readonly check: string }
  | { readonly write: 'repository-label'; readonly repository: string; readonly label: string }
  | {
      readonly write: 'push';
      readonly repository: string;
      readonly branch: string;
      /** Oldest first. */
      readonly commits: readonly { readonly sha: string; readonly message: string }[];
      readonly files: readonly { readonly path: string; readonly change: 'added' | 'modified' | 'deleted' }[];
    };

/** A write, and where it would have been made. */
export interface ReportedWrite {
  /** Host of the platform: `github.com`. */
  readonly host: string;
  /** Page of the thread, or its key where no page is known; null for a write to a repository. */
  readonly thread: string | null;
  readonly observed: ObservedWrite;
}

/** Receives each write that was not made. Never throws. */
export type ReportWrite = (write: ReportedWrite) => void;

/** A thread of a process that only observes. */
export interface ObservedThreadOptions {
  readonly platform: Platform;
  /** The ports of the platform. */
  readonly ports: PlatformThread;
  readonly record: ObservedThreadRecord;
  readonly report: (write: ObservedWrite) => void;
  /** Receives the address of the thread's page. */
  readonly onPage: (url: string) => void;
  /** Milliseconds since 1970, by the platform's clock. */
  readonly now: () => number;
}
