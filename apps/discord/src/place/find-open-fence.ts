/** A code block that a text opens and does not close. */
export interface Fence {
  readonly start: number;
  /** The backticks with the language behind them. */
  readonly opening: string;
}

/**
 * Discord opens and closes a block at every three backticks, wherever they stand. The word behind the opening ones
 * is the language if the line ends there.
 */
export function findOpenFence(text: string): Fence | null {
  let open: Fence | null = null;
  for (const { 0: opening, index } of text.matchAll(/```(?:[\w+#.-]{1,40}(?=\n|$))?/g)) {
    open = open === null ? { start: index, opening } : null;
  }
  return open;
}
