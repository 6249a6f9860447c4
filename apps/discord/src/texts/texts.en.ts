import type { ModelErrorCode } from '@agent/runner/reply';

/** Messages that the bot posts by itself, in English. */
export const textsEn = {
  fallback: {
    'model-unreachable': "⚠️ I can't reach the model right now. Please try again in a few minutes.",
    'model-timeout': '⚠️ The answer took too long. Please try again, or ask a shorter question.',
    'model-status': '⚠️ The model server returned an error. Please try again in a few minutes.',
    'model-busy': '⚠️ The model is busy or still loading. Please try again in a minute or two.',
    'model-too-long':
      '⚠️ This conversation is too long for the model. Please start a new one with "/new", or send a shorter message.',
    'model-unusable':
      "⚠️ The model can't be used right now, and trying again won't help. Please tell the operator of this bot: its log says what to fix.",
    'model-refused':
      '⚠️ A content filter refused this conversation. Please say it in other words, or start a new one with "/new".',
    'model-unreadable': "⚠️ I couldn't read the model's answer. Please send your message again.",
    'model-text-call':
      '⚠️ The model tried to call a tool, and I have none here. Please rephrase your message.',
    'model-failed': '⚠️ The model failed to answer. Please send your message again.',
  } satisfies Readonly<Record<ModelErrorCode, string>>,
  /** The model returned an empty text. */
  emptyAnswer: '⚠️ The model returned an empty answer. Please rephrase your message.',
  /** The model stopped before its answer was complete. */
  cutOff: '⚠️ This answer was cut off. Send "continue" to get the rest.',
  /** Earlier messages could not be read. */
  historyUnreachable:
    "⚠️ I couldn't read all earlier messages here, so this answer may miss some context. If it does, please ask again.",
  /** A user deleted a message of an answer that was still growing. */
  partDeleted: '⚠️ Part of my answer was deleted, so I stopped. Please ask again if you still need it.',
  /** Discord rejected the answer, and a retry would not help. */
  notPosted: "⚠️ I couldn't post my answer. Please send your message again, or rephrase it.",
  /** A message that brings only pictures, other files that are no text, stickers or polls. */
  cannotRead:
    "I can't read this. I can read text, and text files in UTF-8 of up to 64 KB. Please describe it or paste its text here.",
  /** A mention without text. */
  askForQuestion: 'What would you like to know? Just write it here.',
  /** The answer to `/new`. */
  begunAnew: "Starting a new conversation. I won't use the messages above anymore.",
  /** Replies to the newest of `count` messages that arrived while the bot was offline. */
  notAnswered: (count: number) =>
    count === 1
      ? '⚠️ I was offline and missed this message. If you still need an answer, please send it again.'
      : `⚠️ I was offline and missed this message and ${count - 1} before it. If you still need an answer, please send them again.`,
  queueFull: (waiting: number) =>
    `⚠️ Too many messages are waiting in this thread (${waiting}). I won't answer this one or others that I mark with 🚫. Please send them again later.`,
  /** Sent to the author as a direct message. */
  cannotPost: (channelId: string) =>
    `⚠️ I couldn't answer you, because I'm not allowed to write in <#${channelId}>. Please ask a server administrator to allow "Send Messages" and "Send Messages in Threads", or to unlock the thread.`,
};

/** Messages of the bot, in any language. */
export type Texts = typeof textsEn;
