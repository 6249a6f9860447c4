import type { ModelErrorCode } from '@agent/runner/reply';

/** Everything that the bot says on its own account, in English. */
export const textsEn = {
  fallback: {
    'model-unreachable': '⚠️ I cannot reach the model right now. Please send it again in a while.',
    'model-timeout': '⚠️ The answer took too long. Please send it again, or ask something shorter.',
    'model-status': '⚠️ The model reported an error. Please send it again in a while.',
    'model-unreadable': '⚠️ I could not read what the model answered. Please send it again.',
    'model-failed': '⚠️ The model failed to answer. Please send it again.',
  } satisfies Readonly<Record<ModelErrorCode, string>>,
  /** The model answered with nothing. */
  emptyAnswer: '⚠️ The model answered with nothing. Please put it another way.',
  /** The answer ends before its end. */
  cutOff: '⚠️ The answer ends before its end. Send "go on" to ask for the rest.',
  /** Earlier messages could not be read. */
  historyUnreachable:
    '⚠️ I could not read all of what was said here before, so this answer may not know it. Send it again if it should.',
  /** Somebody deleted a message of an answer that was not whole yet. */
  partDeleted: '⚠️ A part of my answer was deleted, so I stopped. Please ask again if you still need it.',
  /** Discord refuses the answer for good. */
  notPosted: '⚠️ I could not post my answer. Please send your message again, or put it another way.',
  /** A mention with no text. */
  askForQuestion: 'What would you like to know? Please write it here.',
  /** The answer to `/new`. */
  begunAnew: 'We begin anew: what was said above is not part of the conversation any more.',
  /** Messages from when the bot was away, the one that this replies to and those before it. */
  notAnswered: (count: number) =>
    count === 1
      ? '⚠️ I was away and did not answer this. Please send it again if it still matters.'
      : `⚠️ I was away and did not answer this and ${count - 1} messages before it. Please send again what still matters.`,
  queueFull: (waiting: number) =>
    `⚠️ ${waiting} messages are waiting in this thread. I will not answer this one, nor those that I mark with 🚫; please send them again later.`,
  /** To the author, in private. */
  cannotPost: (channelId: string) =>
    `⚠️ I may not write in <#${channelId}>, so I could not answer. Please ask an administrator of the server to allow "Send Messages" and "Send Messages in Threads", or to unlock the thread.`,
};

/** The same, in any language. */
export type Texts = typeof textsEn;
