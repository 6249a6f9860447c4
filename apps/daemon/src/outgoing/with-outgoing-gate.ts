import type { ChangeRequests, CommentWriter, Platform, PlatformThread, TaskKey } from '@agent/platforms';
import type { OutgoingGate } from './outgoing-gate.ts';

/** The same platform: every text that is written there goes through the gate, whoever composed it. */
export function withOutgoingGate(platform: Platform, gate: OutgoingGate): Platform {
  return { ...platform, openThread: (key, options) => guardThread(platform.openThread(key, options), gate) };
}

function guardThread(thread: PlatformThread, gate: OutgoingGate): PlatformThread {
  const { key, writer, changeRequests } = thread;
  return {
    ...thread,
    writer: guardWriter(writer, gate),
    changeRequests: changeRequests && guardChangeRequests(changeRequests, { key, gate }),
  };
}

function guardWriter(writer: CommentWriter, gate: OutgoingGate): CommentWriter {
  return {
    ensureComment: async (comment) =>
      writer.ensureComment({ ...comment, body: await gate.cleanText(comment.body) }),
  };
}

function guardChangeRequests(
  changeRequests: ChangeRequests,
  { key, gate }: { readonly key: TaskKey; readonly gate: OutgoingGate },
): ChangeRequests {
  return {
    ...changeRequests,
    ensureDraft: async (draft) => {
      const title = await gate.cleanLine(draft.title);
      const body = await gate.cleanText(draft.body, { mayClose: issueNumberOf(key) });
      return changeRequests.ensureDraft({ ...draft, title, body });
    },
  };
}

function issueNumberOf(key: TaskKey): number | undefined {
  if (key.type === 'github_issue') return key.number;
  return key.type === 'gitlab_issue' ? key.issueIid : undefined;
}
