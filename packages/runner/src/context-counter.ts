import type { ModelMessage } from 'ai';

/**
 * Counts a context again and again while it grows: each message is counted once, however many stand before it. A
 * context that begins differently than the last one is counted anew.
 */
export function createContextCounter(
  countMessage: (message: ModelMessage) => number,
): (messages: readonly ModelMessage[]) => number {
  let counted: ModelMessage[] = [];
  let sum = 0;
  return (messages) => {
    if (!startsWith(messages, counted)) {
      counted = [];
      sum = 0;
    }
    for (const message of messages.slice(counted.length)) {
      sum += countMessage(message);
      counted.push(message);
    }
    return sum;
  };
}

function startsWith(messages: readonly ModelMessage[], start: readonly ModelMessage[]): boolean {
  // A plain loop: it runs over the whole context at every step.
  for (let index = 0; index < start.length; index += 1) {
    if (messages[index] !== start[index]) return false;
  }
  return true;
}
