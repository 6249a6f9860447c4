import type { Texts } from './texts.ts';

export const textsEn: Texts = {
  fallback: {
    'model-unreachable': '⚠️ I cannot reach the model right now. Please send it again in a while.',
    'model-timeout': '⚠️ The answer took too long. Please send it again, or ask something shorter.',
    'model-status': '⚠️ The model reported an error. Please send it again in a while.',
    'model-unreadable': '⚠️ I could not read what the model answered. Please send it again.',
    'model-failed': '⚠️ The model failed to answer. Please send it again.',
  },
  emptyAnswer: '⚠️ The model answered with nothing. Please put it another way.',
  cutOff: '⚠️ The answer ends before its end. Send "go on" to ask for the rest.',
  askForQuestion: 'What would you like to know? Please write it here.',
  begunAnew: 'We begin anew: what was said above is not part of the conversation any more.',
  queueFull: (waiting) =>
    `⚠️ ${waiting} messages are waiting in this thread. I will not answer this one by itself; please send it again later.`,
  cannotPost: (channelId) =>
    `⚠️ I may not write in <#${channelId}>, so I could not answer. Please ask an administrator of the server to allow "Send Messages" and "Send Messages in Threads", or to unlock the thread.`,
};
