/** Commands that read objects alone: what they answer for whole object ids never changes. */
const readsObjects: ReadonlySet<string> = new Set([
  ...[
    'diff',
    'diff-tree',
    'format-patch',
    'log',
    'merge-base',
    'merge-tree',
    'rev-list',
    'rev-parse',
    'show',
  ],
]);

/** One object id or two, with what may stand behind them. */
const objects = /^[0-9a-f]{40}(\^\{\w+\}|:.*)?(\.{2,3}[0-9a-f]{40})?$/;

const maxAnswers = 5_000;

/**
 * Answers of git that stay true: a pull request is read often, and what its two commits differ by does not change. The oldest are
 * forgotten.
 */
export class LastingAnswers {
  readonly #answers = new Map<string, unknown>();
  readonly #isNo: (error: unknown) => boolean;

  /** @param isNo tells a failure that means no from one that means nothing */
  constructor(isNo: (error: unknown) => boolean) {
    this.#isNo = isNo;
  }

  /** The answer that is kept for a command, or the one that `ask` gives, which is kept if it lasts. Of failures, a no that lasts is one. */
  keep<Answer>(directory: string, args: readonly string[], ask: () => Answer): Answer {
    if (!isLasting(args)) return ask();
    const key = [directory, ...args].join('\0');
    const kept = this.#answers.get(key) as Answer | undefined;
    if (kept !== undefined) return kept;
    const answer = ask();
    this.#answers.set(key, answer);
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (args[0] !== 'merge-base' || !this.#isNo(error)) this.#answers.delete(key);
      });
    }
    const [oldest] = this.#answers.size > maxAnswers ? this.#answers.keys() : [];
    if (oldest !== undefined) this.#answers.delete(oldest);
    return answer;
  }
}

function isLasting([command = '', ...rest]: readonly string[]): boolean {
  if (!readsObjects.has(command)) return false;
  const end = rest.indexOf('--');
  const named = rest.slice(0, end < 0 ? rest.length : end).filter((arg) => !arg.startsWith('-'));
  return named.length > 0 && named.every((arg) => objects.test(arg));
}
