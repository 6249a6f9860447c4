import { createInterface } from 'node:readline/promises';
import type { Prompt } from './ask-answers.ts';

export interface TerminalPrompt {
  /** Null where nobody sits at a terminal. */
  readonly prompt: Prompt | null;
  readonly close: () => void;
}

export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Asks on a terminal; Ctrl-C and Ctrl-D reject the question. */
export function openTerminalPrompt({ input, output }: TerminalStreams): TerminalPrompt {
  if (input.isTTY !== true || output.isTTY !== true) return { prompt: null, close: () => {} };
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  return {
    prompt: (question) => lines.question(question, { signal: ended.signal }),
    close: () => lines.close(),
  };
}
