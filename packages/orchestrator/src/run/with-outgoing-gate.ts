import type { ChangeRequests, CommentWriter, Platform, PlatformThread } from '@agent/platforms';
import type { OutgoingGate } from '@agent/text/outgoing';

/** The same platform: every text that is written there goes through the gate, whoever composed it. */
export function withOutgoingGate(platform: Platform, gate: OutgoingGate): Platform {
  return { ...platform, openThread: (key, options) => guardThread(platform.openThread(key, options), gate) };
}

function guardThread(thread: PlatformThread, gate: OutgoingGate): PlatformThread {
  const { writer, changeRequests } = thread;
  return {
    ...thread,
    writer: guardWriter(writer, gate),
    changeRequests: changeRequests && guardChangeRequests(changeRequests, gate),
  };
}

function guardWriter(writer: CommentWriter, gate: OutgoingGate): CommentWriter {
  return {
    ensureComment: async (comment) =>
      writer.ensureComment({ ...comment, body: await gate.cleanText(comment.body) }),
  };
}

/** Guards titles and bodies. What people wrote in a body is none of ours: only what is joined to it goes through. */
function guardChangeRequests(changeRequests: ChangeRequests, gate: OutgoingGate): ChangeRequests {
  return {
    ...changeRequests,
    ensureDraft: async (draft) => {
      const title = await gate.cleanLine(draft.title);
      const body = await gate.cleanText(draft.body);
      return changeRequests.ensureDraft({ ...draft, title, body });
    },
  };
}
