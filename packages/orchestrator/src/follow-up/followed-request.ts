import type { CommentListing, PlatformThread, ReactionWriter, TaskKey } from '@agent/platforms';
import { joinSources, type SourcePart, type ThreadSource } from '@agent/platforms/sources';
import type { RunState } from '@agent/run-store';
import type { RunLogger } from '../host/ports.ts';
import { type ConfiguredPlatform, type OpenedThread, openRunThread } from '../run/run-thread.ts';
import { openReviewSources, type ReviewSources } from '../thread/review-sources.ts';
import { createTrust } from '../thread/trust.ts';
import { listRequesting } from './decide-follow-up.ts';
import { readFollowUp } from './follow-up-record.ts';

/** Names the change request that was opened for an issue; null for a thread that is none. */
export function toRequestKey(key: TaskKey, number: number): TaskKey | null {
  switch (key.type) {
    case 'github_issue':
      return { ...key, type: 'github_pull_request', number };
    case 'gitlab_issue':
      return { type: 'gitlab_merge_request', projectId: key.projectId, mrIid: number };
    default:
      return null;
  }
}

/** Opens reviews and checks of the change request of an issue; null where its platform has none. Makes no request itself. */
export function openRequestReview(
  { platform }: Pick<ConfiguredPlatform, 'platform'>,
  at: { readonly key: TaskKey; readonly number: number },
) {
  const key = toRequestKey(at.key, at.number);
  return key === null ? null : (platform.openReview?.(key) ?? null);
}

/** A thread whose comments may be those of two. */
export type FollowingThread = Pick<OpenedThread, 'platform' | 'comments'> & {
  readonly ports: Pick<PlatformThread, 'key' | 'reader'>;
};

/** A source of comments that proves what is gone. */
export type FollowingSource = ThreadSource & Pick<PlatformThread['reader'], 'getComment'>;

const conversationPrefix = 'request-';

/**
 * Hears a run's thread, and from the moment that the run stays with its change request, what is said on that one too: its conversation, its
 * lines, its reviews and its checks.
 */
export function withFollowedRequest(
  { platform, ports, comments }: FollowingThread,
  { state, logger }: { readonly state: Pick<RunState, 'read'>; readonly logger: RunLogger },
): FollowingSource {
  const { getComment } = ports.reader;
  let joined: ReturnType<typeof joinSources> | null = null;
  let conversation: ThreadSource | null = null;
  let review: ReviewSources | null = null;
  const open = async () => {
    const record = joined === null ? await readFollowUp(state) : null;
    const key = record && toRequestKey(ports.key, record.number);
    if (record === null || key === null) return joined;
    const request = platform.platform.openThread(key);
    conversation = platform.openSource(request);
    review = openReviewSources(platform, { key });
    const parts: readonly SourcePart[] = [
      { name: 'thread', source: { ...comments, getComment }, idPrefix: '' },
      toConversation(request, conversation),
      ...(review?.parts ?? []),
    ];
    joined = joinSources(parts, {
      onLeftOut: (name, error) =>
        logger.warn({ part: name, err: error }, 'failed to read part of pull request'),
    });
    return joined;
  };
  return {
    close: () => {
      comments.close();
      conversation?.close();
      review?.close();
    },
    listComments: async (options) => ((await open()) ?? comments).listComments(options),
    ...(getComment && {
      getComment: async (id, call) => ((await open())?.getComment ?? getComment)(id, call),
    }),
  };
}

/**
 * Opens a run's thread once more, for somebody who listens beside the run: a source shows what is new to one reader alone, so that two of
 * one source would each miss what the other was shown. Makes no request itself.
 */
export function openBeside(
  run: { readonly thread: Pick<FollowingThread, 'platform' | 'ports'> } & Parameters<
    typeof withFollowedRequest
  >[1],
) {
  const { platform, ports } = run.thread;
  const { comments, review } = openRunThread(platform, ports.key);
  return { comments: withFollowedRequest({ platform, ports, comments }, run), review };
}

/** The conversation of the change request, by ids of its own: those of the thread may be the same. */
function toConversation(
  { reader: { getComment } }: Pick<PlatformThread, 'reader'>,
  source: ThreadSource,
): SourcePart {
  const rename = (listing: CommentListing): CommentListing => ({
    ...listing,
    comments: listing.comments.map((one) => ({ ...one, id: `${conversationPrefix}${one.id}` })),
  });
  return {
    name: 'conversation',
    idPrefix: conversationPrefix,
    source: {
      listComments: async (options) => rename(await source.listComments(options)),
      ...(getComment && {
        getComment: async (id, call) => {
          const comment = await getComment(id.slice(conversationPrefix.length), call);
          return comment && { ...comment, id };
        },
      }),
    },
  };
}

/** A writer of reactions for all that a run hears; what has no place for one gets none. */
export function reactingTo(reactions: ReactionWriter | null): ReactionWriter | null {
  if (reactions === null) return null;
  return {
    ...reactions,
    ensureReaction: async ({ commentId, ...reaction }) => {
      if (/^(?:line|review|check)-/u.test(commentId)) return;
      const id = commentId.startsWith(conversationPrefix)
        ? commentId.slice(conversationPrefix.length)
        : commentId;
      await reactions.ensureReaction({ ...reaction, commentId: id });
    },
  };
}

/** Milliseconds between two readings of the reviews of a change request whose checks have passed. */
const reviewsMs = 60_000;

/** Tells whether a trusted reviewer still requests changes, by the last verdict of each: then it is not done, whatever its checks say. */
export function createReviewTest(
  { platform, trust: policy }: Pick<ConfiguredPlatform, 'platform' | 'trust'>,
  { now }: { readonly now: () => number },
): (key: TaskKey) => Promise<boolean> {
  let last = { at: Number.NEGATIVE_INFINITY, isBlocked: false };
  const read = async (key: TaskKey): Promise<boolean> => {
    // Opened for each reading: a source lists to one reader what is new.
    const reviews = platform.openReview?.(key)?.reviews ?? null;
    const listing = await reviews?.listComments({ since: null });
    const requesting = listRequesting(listing?.comments ?? []);
    if (requesting.length === 0) return false;
    const ownAccount = await platform.identity.whoAmI();
    const { permissions } = platform.openThread(key);
    const isTrusted = createTrust({ policy, permissions, ownAccount, now });
    for (const reviewer of requesting) if (await isTrusted(reviewer)) return true;
    return false;
  };
  return async (key) => {
    if (now() - last.at >= reviewsMs) last = { at: now(), isBlocked: await read(key) };
    return last.isBlocked;
  };
}
