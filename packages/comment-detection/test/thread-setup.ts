import type { CommentListing } from '@agent/platforms';
import type { Logger } from '@agent/text';
import type { SourceComment } from '../src/comment.ts';
import {
  CommentDetectionManager,
  type CommentDetectionOptions,
  type CommentSource,
  type SinkMessage,
} from '../src/index.ts';

/** A thread that a test writes on, and a clock that moves only when it is told to. */
export class TestThread {
  comments: SourceComment[] = [];
  /** What the next looks answer instead of the thread. */
  readonly answers: (Error | Partial<CommentListing<SourceComment>>)[] = [];
  readonly looks: (string | null)[] = [];
  /** Which of the looks asked for a request of their own. */
  readonly fresh: boolean[] = [];
  /** Milliseconds; the server's and ours. */
  clock = Date.parse('2026-01-01T10:00:00Z');
  readonly logged: string[] = [];
  readonly waits: number[] = [];

  readonly source: CommentSource = {
    listComments: async ({ since, fresh }) => {
      this.looks.push(since);
      this.fresh.push(fresh);
      const answer = this.answers.shift();
      if (answer instanceof Error) throw answer;
      const shown = this.comments.filter(
        ({ updatedAt, createdAt }) => (updatedAt ?? createdAt) >= (since ?? ''),
      );
      const times = this.comments.map(({ updatedAt, createdAt }) => updatedAt ?? createdAt);
      const cursor = times.toSorted().at(-1) ?? null;
      return { comments: [...shown], complete: since === null, cursor, unchanged: false, ...answer };
    },
  };

  /** Ids that were asked for one by one, and how the platform fails at that. */
  readonly asked: string[] = [];
  failure: Error | null = null;

  /** The same source on a platform that also shows one comment by its id. */
  readonly provingSource: CommentSource = {
    ...this.source,
    getComment: async (id) => {
      this.asked.push(id);
      if (this.failure !== null) throw this.failure;
      return this.comments.find((comment) => comment.id === id) ?? null;
    },
  };

  say(id: string, fields: Partial<SourceComment> = {}): SourceComment {
    const time = this.time();
    const comment = {
      id,
      author: { id: '7', login: 'alice' },
      body: `text ${id}`,
      createdAt: time,
      updatedAt: time,
      ...fields,
    };
    this.comments.push(comment);
    return comment;
  }

  edit(id: string, body: string): void {
    const updatedAt = this.time();
    this.comments = this.comments.map((one) => (one.id === id ? { ...one, body, updatedAt } : one));
  }

  remove(id: string): void {
    this.comments = this.comments.filter((one) => one.id !== id);
  }

  /** Lets time pass: by default enough for the next look. */
  pass(milliseconds = 2000): void {
    this.clock += milliseconds;
  }

  manager(options: CommentDetectionOptions = {}): CommentDetectionManager {
    return new CommentDetectionManager(this.source, { ...this.options(), ...options });
  }

  options(): CommentDetectionOptions {
    return {
      botUsername: 'agent',
      authorityOf: () => 'trusted',
      cleanText: (text) => text,
      taskUuid: 't-1',
      logger: this.logger,
      now: () => new Date(this.clock),
      monotonicNow: () => this.clock,
      sleep: async (milliseconds) => {
        this.waits.push(milliseconds);
        this.clock += milliseconds;
      },
      timeoutSignal: () => new AbortController().signal,
    };
  }

  readonly logger: Logger = {
    debug: (_fields, message) => void this.logged.push(`DEBUG - ${message}`),
    info: (_fields, message) => void this.logged.push(`INFO - ${message}`),
    warn: (_fields, message) => void this.logged.push(`WARNING - ${message}`),
    error: (_fields, message) => void this.logged.push(`ERROR - ${message}`),
  };

  time(): string {
    return new Date(this.clock).toISOString();
  }
}

/** A context that takes messages, after refusing as often as it is told to. */
export function createTestSink(refusals: readonly unknown[] = []) {
  const messages: SinkMessage[] = [];
  const offered: string[] = [];
  const left = [...refusals];
  const append = async (message: SinkMessage) => {
    offered.push(message.content);
    if (left.length > 0) throw left.shift();
    messages.push(message);
  };
  return { messages, offered, append };
}

export const contextFull = Object.assign(new Error('too long'), { code: 'context-full' });
