import type {
  Account,
  Comment,
  OpenThreadOptions,
  Platform,
  ProvenSource,
  TaskKey,
  ThreadReader,
} from '@agent/platforms';
import {
  createCheckSource,
  joinSources,
  type SourcePart,
  type SourceThread,
  type ThreadSource,
} from '@agent/platforms/sources';
import type { RunSettings } from '../config/run-settings.ts';
import type { RunLogger } from '../host/ports.ts';
import type { ProvenComments } from './thread-text.ts';
import { isOwnThread } from './trust.ts';

type Setting = 'include_review_comments' | 'include_checks';

/** Lists of what reviewers and checks say of a change request, beside its conversation. */
export interface ReviewSources {
  readonly parts: readonly (SourcePart & { readonly setting: Setting })[];
  /** Ends their part in what is shared. Asked again, they take part anew. */
  readonly close: () => void;
}

/** A list of comments of one thread; the conversation, where no other is named. `request`: none, but the change request itself. */
export type CommentListName = 'conversation' | 'lines' | 'reviews' | 'checks' | 'request';

/** A platform, as far as its reviews go. */
export interface ReviewedPlatform {
  readonly platform: Pick<Platform, 'openReview'>;
  readonly openSource: (thread: SourceThread, list: CommentListName) => ThreadSource;
}

/** Opens the lists of a change request; null for an issue, and where a platform shows none. Makes no request. */
export function openReviewSources(
  { platform, openSource }: ReviewedPlatform,
  { key, onRequest }: OpenThreadOptions & { readonly key: TaskKey },
): ReviewSources | null {
  const review = platform.openReview?.(key, { onRequest }) ?? null;
  if (review === null) return null;
  const opened: ThreadSource[] = [];
  const open = (
    source: ProvenSource & Pick<SourceThread, 'isSettled'>,
    list: 'lines' | 'reviews' | 'checks',
  ): ProvenSource => {
    const polled = openSource({ key, comments: source, isSettled: source.isSettled }, list);
    opened.push(polled);
    return { listComments: polled.listComments, getComment: source.getComment };
  };
  const reviewed = { setting: 'include_review_comments', mayLack: true } as const;
  const parts: readonly (SourcePart & { readonly setting: Setting })[] = [
    { ...reviewed, name: 'lines', idPrefix: 'line-', source: open(review.lines, 'lines') },
    ...(review.reviews === null
      ? []
      : [{ ...reviewed, name: 'reviews', idPrefix: 'review-', source: open(review.reviews, 'reviews') }]),
    {
      setting: 'include_checks',
      mayLack: true,
      name: 'checks',
      idPrefix: 'check-',
      source: open(createCheckSource(review.checks), 'checks'),
    },
  ];
  return {
    parts,
    close: () => {
      for (const { close } of opened) close();
    },
  };
}

/** The same lists, which let the audience of a run hear of comments before anybody else does. */
export function overhearReviews(
  review: ReviewSources | null | undefined,
  hear: (comments: readonly Comment[]) => Promise<void>,
): ReviewSources | null {
  if (review == null) return null;
  const parts = review.parts.map((part) => ({
    ...part,
    source: {
      ...part.source,
      listComments: async (options: Parameters<ProvenSource['listComments']>[0]) => {
        const listing = await part.source.listComments(options);
        await hear(listing.comments);
        return listing;
      },
    },
  }));
  return { ...review, parts };
}

/** Surroundings of a conversation that reviews and checks are joined to. */
export interface WithReviewsOptions {
  readonly review: ReviewSources | null | undefined;
  readonly settings: Pick<RunSettings['comment_detection'], Setting>;
  readonly reader: Pick<ThreadReader, 'readThread'>;
  readonly ownAccount: Account;
  readonly logger: RunLogger;
}

/**
 * The conversation of a change request, joined with what is said in reviews and by checks: as the settings say, which by default is
 * where the agent opened it. Whose it is, the thread is asked at the first poll.
 */
export function withReviews(conversation: ProvenComments, options: WithReviewsOptions): ProvenComments {
  const { review, settings, reader, ownAccount, logger } = options;
  const mayHear = (review?.parts ?? []).filter(({ setting }) => settings[setting] !== false);
  if (mayHear.length === 0) return conversation;
  const join = async (signal: AbortSignal | undefined): Promise<ProvenSource> => {
    const asks = mayHear.some(({ setting }) => settings[setting] === 'own');
    const isOwn = asks && isOwnThread(await reader.readThread({ signal }), ownAccount);
    const parts = mayHear.filter(({ setting }) => settings[setting] === true || isOwn);
    const all = [{ name: 'conversation', source: conversation, idPrefix: '' }, ...parts];
    return parts.length === 0
      ? conversation
      : joinSources(all, {
          onLeftOut: (name, error) =>
            logger.warn({ err: error, list: name }, 'failed to read part of pull request'),
        });
  };
  let joined: ProvenSource | null = null;
  const open = async (signal: AbortSignal | undefined): Promise<ProvenSource> => {
    joined ??= await join(signal);
    return joined;
  };
  return {
    listComments: async (poll) => (await open(poll.signal)).listComments(poll),
    getComment: async (id, call = {}) => {
      const source = await open(call.signal);
      if (source.getComment === undefined) throw new TypeError(`the comment ${id} cannot be read on its own`);
      return source.getComment(id, call);
    },
  };
}

/** Tells whether a comment is a review that approves or was dismissed: it asks for no change. */
export function asksForNothing(
  subject: { readonly kind: string; readonly state?: unknown } | null | undefined,
): boolean {
  return subject?.kind === 'review' && (subject.state === 'approved' || subject.state === 'dismissed');
}
