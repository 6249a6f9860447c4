/** Checks of a rehearsal, in the order in which they are made. */
export const checkNames = [
  'access',
  'model',
  'person',
  'single',
  'labels',
  'start',
  'comment',
  'fresh-list',
  'reaction',
  'edit',
  'deletion',
  'pages',
  'conditional',
  'rate-limit',
  'clock',
  'pause',
  'resume',
  'crash',
  'draft',
  'review',
  'stop',
  'report',
  'webhook',
  'clean-up',
] as const;

export type CheckName = (typeof checkNames)[number];

/** Result of one check. */
export interface CheckResult {
  readonly name: CheckName;
  /** `skipped`: an earlier failure or an interruption kept it from being made. */
  readonly status: 'passed' | 'failed' | 'not-supported' | 'skipped';
  /** What was found out, in words for the user. */
  readonly text: string;
  /** Setting or permission to change; null if there is nothing to change. */
  readonly fix: string | null;
  /** Page of the vendor's documentation, or the page on which to change it; null for none. */
  readonly url: string | null;
  /** Milliseconds that it took. */
  readonly durationMs: number;
}

/** A result before its check and its time are known. */
export type Verdict = Pick<CheckResult, 'status' | 'text'> & Partial<Pick<CheckResult, 'fix' | 'url'>>;

/** Results of a rehearsal, each reported once, as soon as it is known. */
export class CheckResults {
  readonly #results = new Map<CheckName, CheckResult>();
  readonly #onResult: (result: CheckResult) => void;

  constructor(onResult: (result: CheckResult) => void) {
    this.#onResult = onResult;
  }

  /** Adds a result. The first result of a check counts. */
  add(name: CheckName, { fix = null, url = null, ...verdict }: Verdict, durationMs = 0): void {
    if (this.#results.has(name)) return;
    const result = { name, ...verdict, fix, url, durationMs };
    this.#results.set(name, result);
    this.#onResult(result);
  }

  has(name: CheckName): boolean {
    return this.#results.has(name);
  }

  passed(name: CheckName): boolean {
    return this.#results.get(name)?.status === 'passed';
  }

  /** In the order in which they are made. */
  list(): readonly CheckResult[] {
    return checkNames.flatMap((name) => this.#results.get(name) ?? []);
  }

  /** Adds `skipped` for each check before the clean-up that has no result. */
  skipOthers(text: string): void {
    for (const name of checkNames) if (name !== 'clean-up') this.add(name, { status: 'skipped', text });
  }
}
