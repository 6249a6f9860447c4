import type {
  ChangeRequests,
  CommentWriter,
  EnsuredComment,
  OwnComments,
  Platform,
  ReviewThreads,
} from '@agent/platforms';
import type { OutgoingGate } from '@agent/text/outgoing';

/**
 * The same platform: every text that is written there goes through the gate, whoever composed it.
 *
 * @example
 * const gate = createOutgoingGate({ secrets: [token], places: [], allow: { paths: [], fingerprints: [] } });
 * const guarded = withOutgoingGate(platform, gate);
 */
export function withOutgoingGate(platform: Platform, outgoing: OutgoingGate): Platform {
  const { openReview } = platform;
  const gate = toGate(outgoing, platform);
  return {
    ...platform,
    openReview:
      openReview &&
      ((key, options) => {
        const review = openReview(key, options);
        return review && { ...review, threads: guardReviewThreads(review.threads, gate) };
      }),
    openThread: (key, options) => {
      const thread = platform.openThread(key, options);
      const { writer, ownComments, changeRequests } = thread;
      return {
        ...thread,
        writer: guardWriter(writer, gate),
        ownComments: ownComments && guardOwnComments(ownComments, gate),
        changeRequests: changeRequests && guardChangeRequests(changeRequests, gate),
      };
    },
  };
}

type PlatformGate = Pick<OutgoingGate, 'cleanText' | 'cleanLine'>;

/** On a platform, links may lead to its own pages. */
function toGate({ cleanText, cleanLine }: OutgoingGate, { host }: Platform): PlatformGate {
  return { cleanText: (text) => cleanText(text, { linkHosts: [host] }), cleanLine };
}

function guardWriter(writer: CommentWriter, gate: PlatformGate): CommentWriter {
  return {
    ensureComment: async (comment) =>
      writer.ensureComment({ ...comment, body: await gate.cleanText(comment.body) }),
  };
}

function guardOwnComments(ownComments: OwnComments, gate: PlatformGate): OwnComments {
  return {
    ...ownComments,
    edit: async (comment) => ownComments.edit({ ...comment, body: await gate.cleanText(comment.body) }),
  };
}

function guardReviewThreads(threads: ReviewThreads, gate: PlatformGate): ReviewThreads {
  return {
    ...threads,
    answer: async (answer) => threads.answer({ ...answer, body: await gate.cleanText(answer.body) }),
  };
}

/** Guards titles and bodies. What people wrote in a body is none of ours: only what is joined to it goes through. */
function guardChangeRequests(changeRequests: ChangeRequests, gate: PlatformGate): ChangeRequests {
  return {
    ...changeRequests,
    ensureDraft: async (draft) => {
      const title = await gate.cleanLine(draft.title);
      const body = await gate.cleanText(draft.body);
      return changeRequests.ensureDraft({ ...draft, title, body });
    },
  };
}

/**
 * The same platform, which tells of each comment that is made there: people are notified of it, and not of an edit.
 *
 * @example
 * const told = tellingOfComments(platform, () => { notifications += 1; });
 */
export function tellingOfComments(platform: Platform, onCreated: () => void): Platform {
  const tell = (ensured: EnsuredComment): EnsuredComment => {
    if (ensured.change === 'created') onCreated();
    return ensured;
  };
  const { openThread, openReview } = platform;
  return {
    ...platform,
    openThread: (key, options) => {
      const thread = openThread(key, options);
      const { ensureComment } = thread.writer;
      return { ...thread, writer: { ensureComment: async (comment) => tell(await ensureComment(comment)) } };
    },
    openReview:
      openReview &&
      ((key, options) => {
        const review = openReview(key, options);
        if (review === null) return null;
        const { threads } = review;
        return {
          ...review,
          threads: { ...threads, answer: async (answer) => tell(await threads.answer(answer)) },
        };
      }),
  };
}
