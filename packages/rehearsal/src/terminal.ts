import { createInterface } from 'node:readline/promises';

/** Exit code of a command that Ctrl-C ended. */
export const interruptedCode = 130;

/** Asks the user a question. Rejects with an `AbortError` after Ctrl-C. */
export type Prompt = (question: string) => Promise<string>;

/** Asks questions on the terminal, and releases it after each, so that Ctrl-C is a signal afterwards. */
export function createTerminalPrompt(signal: AbortSignal): Prompt {
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    const closed = new AbortController();
    lines.once('close', () => closed.abort());
    try {
      return await lines.question(question, { signal: AbortSignal.any([closed.signal, signal]) });
    } finally {
      lines.close();
    }
  };
}

const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts at the first Ctrl-C, SIGTERM or SIGHUP. At a second Ctrl-C or SIGTERM, abandons and exits. A terminal that closes can send
 * SIGHUP twice, so that another SIGHUP changes nothing.
 */
export function listenForInterruption(
  target: NodeJS.Process,
  abandon: () => void,
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const listener = (name: NodeJS.Signals): void => {
    if (!controller.signal.aborted) controller.abort(new Error('interrupted'));
    else if (name !== 'SIGHUP') {
      abandon();
      target.exit(interruptedCode);
    }
  };
  for (const name of interruptions) target.on(name, listener);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of interruptions) target.off(name, listener);
    },
  };
}
