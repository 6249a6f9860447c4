/** The runs of backticks in a text, so that each finds the run that closes it without searching the text again. */
export class BacktickRuns {
  readonly #startsByLength = new Map<number, number[]>();
  readonly #nextByLength = new Map<number, number>();

  constructor(content: string) {
    for (const { 0: run, index } of content.matchAll(/`+/g)) {
      const starts = this.#startsByLength.get(run.length);
      if (starts === undefined) this.#startsByLength.set(run.length, [index]);
      else starts.push(index);
    }
  }

  /** Where the next run of just this length begins; `from` must not go back from call to call. */
  findNext(length: number, from: number): number | undefined {
    const starts = this.#startsByLength.get(length) ?? [];
    let next = this.#nextByLength.get(length) ?? 0;
    while (next < starts.length && (starts[next] ?? 0) < from) next += 1;
    this.#nextByLength.set(length, next);
    return starts[next];
  }
}
