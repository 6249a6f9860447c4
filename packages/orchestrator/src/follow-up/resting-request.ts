import { isDeepStrictEqual } from 'node:util';
import type { CommentSource, TaskKey } from '@agent/platforms';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { type OpenedRequest, type ReadRequest, readRequest } from './watch-request.ts';

/** A change request that rests between two readings. */
export interface RestingRequest extends OpenedRequest {
  /** Ends its part in the poll of the repository. */
  readonly close: () => void;
}

/**
 * Opens a change request that a run waits for. It is read again when the poll of its repository names it, when something new was said, as long
 * as a check or whether it conflicts is not known yet, and every ten minutes; in between it is what it was. Makes no request itself.
 */
export function openRestingRequest(
  { platform, openSource }: Pick<ConfiguredPlatform, 'platform' | 'openSource'>,
  key: TaskKey,
): RestingRequest {
  const { reader } = platform.openThread(key);
  const review = platform.openReview?.(key) ?? null;
  let last: ReadRequest = { request: null, checks: [] };
  /** Marks of what had been said when it was read; null where it has to be read. */
  let heard: string | null = null;
  const comments: CommentSource = {
    listComments: async ({ signal }) => {
      const next = await readRequest({ reader, review }, { signal });
      const unchanged = isDeepStrictEqual(next, last);
      last = next;
      return { comments: [], complete: true, cursor: null, unchanged };
    },
  };
  const isSettled = () =>
    last.request?.conflicts !== null && last.checks.every(({ conclusion }) => conclusion !== null);
  const source = openSource({ key, comments, isSettled }, 'request');
  return {
    review,
    read: async (said) => {
      const marks = said.map(({ comment, revision }) => `${comment.id} ${revision}`).join('\n');
      await source.listComments({ since: null, fresh: marks !== heard });
      heard = marks;
      return last;
    },
    forget: () => {
      heard = null;
    },
    close: source.close,
  };
}
