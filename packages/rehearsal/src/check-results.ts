/** Result of one check. */
export interface CheckResult<Name extends string = string> {
  readonly name: Name;
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
export class CheckResults<Name extends string> {
  readonly #names: readonly Name[];
  readonly #results = new Map<Name, CheckResult<Name>>();
  readonly #onResult: (result: CheckResult<Name>) => void;

  /** `names`: all checks, in the order in which they are made. The last one is the clean-up. */
  constructor(names: readonly Name[], onResult: (result: CheckResult<Name>) => void) {
    this.#names = names;
    this.#onResult = onResult;
  }

  /** Adds a result. The first result of a check counts. */
  add(name: Name, { fix = null, url = null, ...verdict }: Verdict, durationMs = 0): void {
    if (this.#results.has(name)) return;
    const result = { name, ...verdict, fix, url, durationMs };
    this.#results.set(name, result);
    this.#onResult(result);
  }

  has(name: Name): boolean {
    return this.#results.has(name);
  }

  passed(name: Name): boolean {
    return this.#results.get(name)?.status === 'passed';
  }

  /** In the order in which they are made. */
  list(): readonly CheckResult<Name>[] {
    return this.#names.flatMap((name) => this.#results.get(name) ?? []);
  }

  /** Adds `skipped` for each check before the clean-up that has no result. */
  skipOthers(text: string): void {
    for (const name of this.#names.slice(0, -1)) this.add(name, { status: 'skipped', text });
  }
}
